"""Words of like meaning: which words a rule's `@~refund:0.6@` has, and which words a class may want too.

Vectors are asked once; the words are written into the rules as the definition of a class (text/like_words.py). Words
are those of the project's texts, and with the encoder's input vectors all that it has as one piece, so that words that
no text has yet are there too.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.choose import STATIC, KnownVectors, encoder_vectors, known_vectors
from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.embeddings.vectors import first_words
from re2nn_core.errors import InputError
from re2nn_core.rules.lexer import print_word, rule_tokens
from re2nn_core.rules.names import did_you_mean
from re2nn_core.rules.source import split_lines
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.like_words import LEAST, MOST, LikeWords, decided_for, is_like, read_like
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.letter_automaton import PatternError

MOST_WORDS = 2_000  # of a class
MANY_WORDS, MANY_SHARE = 20, 0.1  # words of the texts, and their share of all, above which a class is too wide
MANY_COMPARED = 0.5  # share of the words that were compared, with the encoder the nearest ones
_DEFINED = re.compile(r"\s*@(~[^@\s]+)@\s*=")
ENCODER, BUILTIN = "encoder", "builtin"
SOURCES = (ENCODER, BUILTIN, STATIC)
FIRST_WORDS = 20_000  # of a file of vectors
_SHORTLIST = 400  # words for each that is named
_OFFERED = 20  # nearest words among which a threshold is offered
_USUAL = 0.5
_NEAR = 0.35  # of words that no text has
_FAR = 0.2  # words less near are all alike


@dataclass(frozen=True)
class NearWord:
    """A word, the cosine of its vector with the nearest of the named words, and how often the texts have it."""

    word: str
    nearness: float
    count: int


@dataclass(frozen=True, eq=False)
class NearWords:
    """The vectors of one source for the words of texts, and how often the texts have each."""

    known: KnownVectors
    counts: Mapping[str, int]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The row of each word."""
        return {word: place for place, word in enumerate(self.known.words)}

    @cached_property
    def digest(self) -> str:
        """The first 16 digits of the SHA-256 of words and vectors."""
        hashed = hashlib.sha256("\n".join(self.known.words).encode("utf-8", "surrogatepass"))
        hashed.update(np.ascontiguousarray(self.known.rows).tobytes())
        return hashed.hexdigest()[:16]

    @property
    def described(self) -> str:
        """How a definition names the vectors."""
        return f"vectors {self.known.name}, sha256 {self.digest}"

    def ranked(self, nearness: NDArray[np.float32], least: float) -> list[NearWord]:
        """The words that are near enough, the nearest first."""
        chosen = np.flatnonzero(nearness >= least)
        ordered = chosen[np.argsort(-nearness[chosen], kind="stable")]
        words = self.known.words
        return [NearWord(words[i], float(nearness[i]), self.counts.get(words[i], 0)) for i in ordered.tolist()]

    def rows_of(self, words: Iterable[str]) -> NDArray[np.float32]:
        """The vectors of words, [words, dimensions]. InputError for one that has none."""
        found = []
        for word in words:
            word = word if word in self.places else word.lower()
            if word not in self.places:
                with_vector = [other for other in self.counts if other in self.places]
                near = f"{did_you_mean(word, with_vector, 'word')} " if with_vector else ""
                raise InputError(
                    f"The vectors '{self.known.name}' have none for the word '{word}'. {near}"
                    "Name a word that has one, choose other vectors, or list the words that are meant: "
                    "( refund | reimbursement )."
                )
            found.append(self.known.rows[self.places[word]])
        return np.stack(found)


def near_words(
    sentences: Sequence[Sequence[str]], named: Iterable[str] = (), source: str | Path = "", *, lowercase: bool = True
) -> NearWords:
    """The vectors of a source for the words of texts, for those named and for words that no text has. By default the
    encoder's where it is installed: of its input vectors' words nearest to the named ones, or the input vectors
    themselves where none is named. Otherwise those made from the texts, which have no further words. `lowercase`: the
    texts are read in lower case, so that no word with a capital letter is one of theirs. EncoderUnavailable,
    DataFileError; InputError for what is no source."""
    counts = Counter(word for sentence in sentences for word in sentence)
    asked = tuple(dict.fromkeys(word_form(word, lowercase=lowercase) for word in named))
    words = tuple(dict.fromkeys((*sorted(counts), *asked)))
    installed = encoder_is_installed()
    chosen = source or (ENCODER if installed and asked else STATIC if installed else BUILTIN)
    if chosen == ENCODER and asked:
        return NearWords(encoder_vectors(_nearest_words(known_vectors(words, sentences, STATIC), asked)), counts)
    # The built-in vectors can spell any word, but know nothing of one that no text has.
    words = tuple(word for word in words if word in counts) if chosen == BUILTIN else words
    if chosen not in SOURCES and not Path(chosen).exists():
        sources = join_names(SOURCES, last="or")
        raise InputError(f"'{chosen}' is no source of word vectors: there is no such file.\nGive a file, or {sources}.")
    if chosen not in SOURCES:
        further = first_words(Path(chosen), FIRST_WORDS)
        words = tuple(dict.fromkeys((*words, *(one for one in further if one == word_form(one, lowercase=lowercase)))))
    return NearWords(known_vectors(words, sentences, chosen), counts)


def _nearest_words(known: KnownVectors, named: Sequence[str]) -> tuple[str, ...]:
    """The words named, and for each those nearest to it: the encoder's layers take a moment for each word."""
    place = {word: row for row, word in enumerate(known.words)}
    found = dict.fromkeys(named)
    there = [place[word] for word in named if word in place]
    most = min(_SHORTLIST, len(known.words)) - 1
    for nearness in (known.rows @ known.rows[there].T).T:  # [words named, words]
        near = np.flatnonzero(nearness >= -np.partition(-nearness, most)[most])
        nearest = near[np.argsort(-nearness[near], kind="stable")][:_SHORTLIST]
        found |= dict.fromkeys(known.words[row] for row in nearest.tolist())
    return tuple(found)


def words_like(asked: LikeWords, near: NearWords) -> list[NearWord]:
    """The words of a class of like words, the nearest first. InputError for a word without a vector, for one that no
    word is near to and no text has, and for a nearness that takes every word or too many."""
    nearness = (near.known.rows @ near.rows_of(asked.words).T).max(axis=1)
    # A word is itself, also one that is as far from all others as it is from their mean.
    nearness[[near.places.get(word, near.places.get(word.lower())) for word in asked.words]] = 1
    found = near.ranked(nearness, min(asked.nearness, 1 - 1e-6))
    if len(found) <= len(asked.words) and not any(one.count for one in found):
        raise InputError(
            f"'@{asked.name}@' takes only {join_names(asked.words)}, and no text has it. "
            "Check how it is spelt, or write a lower nearness."
        )
    every = len(asked.words) < len(found) == len(near.known.words)
    if every or len(found) > MOST_WORDS:
        taken = f"{'every one of the ' if every else ''}{len(found):,} words"
        offered = offered_nearness(asked.words, near)
        raise InputError(
            f"'@{asked.name}@' takes {taken}; {MOST_WORDS:,} at most are allowed. "
            f"Write a higher nearness, such as @{LikeWords(asked.words, offered).name}@."
        )
    return found


def too_wide(asked: LikeWords, found: Sequence[NearWord], near: NearWords) -> str | None:
    """A warning where a class takes so many words of the texts, or of all that were compared, that they are hardly of
    one meaning; None for others."""
    there, every, compared = sum(one.count > 0 for one in found), len(near.counts), len(near.known.words)
    if there > max(MANY_WORDS, MANY_SHARE * every):
        taken = f"{there:,} of the {every:,} words of the texts, more than one in ten"
    elif len(found) > max(MANY_WORDS, MANY_COMPARED * compared):
        taken = f"{len(found):,} of the {compared:,} words that are nearest, more than half"
    else:
        return None
    return (
        f"'@{asked.name}@' takes {taken}. "
        f"Write a higher nearness, such as @{LikeWords(asked.words, offered_nearness(asked.words, near)).name}@."
    )


def offered_nearness(words: Sequence[str], near: NearWords) -> float:
    """A nearness behind which the words get much less near: in the middle of the widest gap among the nearest ones."""
    cosines = np.sort((near.known.rows @ near.rows_of(words).T).max(axis=1))[::-1][len(words) :][:_OFFERED].clip(_FAR)
    if len(cosines) < 2:
        return _USUAL
    widest = int(np.argmax(cosines[:-1] - cosines[1:]))
    middle = round(float(cosines[widest] + cosines[widest + 1]) / 2, 2)
    return min(max(middle, LEAST), MOST)


def more_like(words: Collection[str], near: NearWords, most: int = 12, unseen: int = 6) -> list[NearWord]:
    """The words that are nearest to the mean of some words, which are left out: at most so many of the texts, then so
    many that no text has. Empty where none of these has a vector."""
    there = [word for word in words if word in near.places]
    if not there:
        return []
    mean = near.rows_of(there).mean(axis=0)
    length = float(np.linalg.norm(mean))
    nearness = near.known.rows @ (mean / length if length > 0 else mean)
    kinds = {(is_number(word), is_punctuation(word)) for word in there}
    alike = (
        one
        for one in near.ranked(nearness, LEAST)
        if one.word not in words and (is_number(one.word), is_punctuation(one.word)) in kinds
    )
    seen: list[NearWord] = []
    others: list[NearWord] = []
    for one in alike:
        part, room = (seen, most) if one.count else (others, unseen)
        # A word that no text has is only worth its place where it is really near.
        if len(part) < room and (one.count or one.nearness >= _NEAR):
            part.append(one)
        if len(seen) == most and (len(others) == unseen or one.nearness < _NEAR):
            break
    return [*seen, *others]


def used_like_words(rules_text: str) -> tuple[LikeWords, ...]:
    """The classes of like words that rules use or define, in their order; those that cannot be read are left out."""
    found: dict[str, LikeWords] = {}
    for _, name in _like_names(rules_text):
        if name not in found:
            try:
                found[name] = read_like(name)
            except PatternError:
                continue
    return tuple({one.name: one for one in found.values()}.values())


def refuse_unreadable(rules_text: str) -> None:
    """InputError where rules ask for like words in a way that cannot be read."""
    for line, name in _like_names(rules_text):
        try:
            read_like(name)
        except PatternError as error:
            raise InputError(f"Line {line}, '@{name}@': {error}.\n{error.advice}") from None


def _like_names(rules_text: str) -> Iterator[tuple[int, str]]:
    """The names of classes of like words in rules, with their lines, which count from 1."""
    for number, line in enumerate(split_lines(rules_text), 1):
        for token in rule_tokens(line) if "@~" in line else ():
            name = token[1:-1].partition("<:>")[0]
            if token.startswith("@") and is_like(name):
                yield number, name


def undecided(rules_text: str) -> tuple[LikeWords, ...]:
    """Those of them that are not defined, or by words that were found for another nearness."""
    lines = ((_DEFINED.match(line), line.partition("//")[2]) for line in split_lines(rules_text))
    defined = {found[1] for found, note in lines if found and decided_for(found[1], note) is None}
    return tuple(one for one in used_like_words(rules_text) if one.name not in defined)


def with_like_words(rules_text: str, asked: LikeWords, found: Sequence[NearWord], near: NearWords) -> str:
    """The rules with the definition of a class of like words, in place of a former one or above all that is not a
    comment."""
    words = " | ".join(print_word(one.word) for one in found)
    line = f"@{asked.name}@=( {words} ) // {near.described}, nearness {asked.nearness:g}"
    lines = split_lines(rules_text)
    for place, written in enumerate(lines):
        if (there := _DEFINED.match(written)) and there[1] == asked.name:
            return "\n".join([*lines[:place], line, *lines[place + 1 :]])
    above = next((place for place, written in enumerate(lines) if not written.lstrip().startswith("//")), len(lines))
    return "\n".join([*lines[:above], line, *lines[above:]])


def decided(rules_text: str, near: NearWords, *, again: bool = False) -> tuple[str, dict[str, list[NearWord]]]:
    """The rules with all their classes of like words defined, and the words of each that was defined here; `again` also
    of those that were defined before. InputError."""
    found = {}
    for asked in used_like_words(rules_text) if again else undecided(rules_text):
        found[asked.name] = words_like(asked, near)
        rules_text = with_like_words(rules_text, asked, found[asked.name], near)
    return rules_text, found


def with_nearness(rules_text: str, asked: LikeWords, nearness: float, near: NearWords) -> str:
    """The rules with another nearness of a class wherever it is used. InputError."""
    new = LikeWords(asked.words, nearness)
    found = words_like(new, near)
    for sign in ("@", "<:>"):
        rules_text = rules_text.replace(f"@{asked.name}{sign}", f"@{new.name}{sign}")
    return with_like_words(rules_text, new, found, near)


def near_in_words(name: str, found: Sequence[NearWord], shown: int = 12) -> str:
    """What a class has, for a report."""
    first = ", ".join(f"{one.word} ({one.nearness:.2f}, {one.count:,}x)" for one in found[:shown])
    more = f" and {len(found) - shown:,} more" if len(found) > shown else ""
    return f"@{name}@ has {counted(len(found), 'word')}: {first}{more}"
