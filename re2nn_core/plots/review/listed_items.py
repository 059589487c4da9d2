"""What stands on one side of a changed rule, as a list for people: words, words that follow each other, classes and
expressions inside words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from re2nn_core.plots.review.change_html import RulePiece, Side, is_of_kind, kind_of_class, own_words, stem_of_class
from re2nn_core.plots.review.grouped_words import patterns_in_slots, plain_word
from re2nn_core.rules.lexer import spans
from re2nn_core.text.case_words import NOTATION as CASED
from re2nn_core.text.lemmas import NOTATION as LEMMA
from re2nn_core.text.word_patterns.notation import NOTATION as PATTERN

_APART = "\x1f"  # where something stood that is listed by itself
_BRACKETS = re.compile(rf"([()\[\]|{_APART}]|(?<=\S)<[^:>]*>)")
_OPENING, _CLOSING = ("|", "(", "["), ("|", ")", "]")  # around an alternative
_REPEATS = re.compile(r"(?<=.)(?:[?*+]|\{[\d,]*\})$")
_REPEAT = re.compile(r"[?*+]|\{[\d,]*\}")
SIGNS = {"%": "any number", "&": "any sign", "BOS": "the start of a text", "EOS": "the end of a text"}
_EXCEPT = re.compile(r"\[\^ .*? \](?!<(?!:>))(?:<:>\S+)?")
_ANY_WORDS_BUT = re.compile(r"\[\^ [^\]]* \](?:[?*+]|\{[\d,]*\})")  # in the place of `$*`: no word is learned by it
ANY_BUT = "[^ ]"  # as a word
_LETTERS = re.compile(rf"(?:{PATTERN}|{LEMMA}|{CASED})")
_GAP = "…"
_WILD = re.compile(r"\$[?*+]?(?:\{[\d,]*\})?$")


@dataclass(frozen=True)
class ListedItem:
    """What is listed: a word, words that follow each other, or a class or kind of words by its name, or an expression
    as it is written; `words` are all of it, and `many`: each of them counts."""

    shown: str
    words: tuple[str, ...]
    many: bool = False
    asks_letters: bool = False  # one expression inside a word, such as re"b.*"
    alternative: str = ""  # as it is written, where it is one of several alternatives as a whole

    @property
    def count(self) -> int:
        """How many words it stands for."""
        return len(self.words) if self.many else 1


def listed_items(pieces: Sequence[RulePiece], side: Side) -> Iterator[ListedItem]:
    """What stands on a side: words that follow each other without anything between them as one, a class of the author
    or of one kind by its name, and of any other class each word."""
    for number, piece in enumerate(pieces):
        if piece.words:
            yield from _of_class(piece, side)
        elif piece.side == side:
            text, expressions = _without_expressions(piece.text)
            yield from (ListedItem(one, (one,), asks_letters=True) for one in expressions)
            for pattern in patterns_in_slots(text):
                yield ListedItem(quoted([pattern]), (pattern,), alternative=pattern)
                text = text.replace(f" {pattern} ", f" {_APART} ")
            text = _ANY_WORDS_BUT.sub(_APART, text)
            if _EXCEPT.search(text):
                yield ListedItem("any word, with exceptions", (ANY_BUT,))
            borders = _border(pieces[:number], "(", -1), _border(pieces[number + 1 :], ")", 0)
            parts = [borders[0], *_BRACKETS.split(_EXCEPT.sub(_APART, text)), borders[1]]
            for left, part, right in zip(parts[:-1:2], parts[1::2], parts[2::2], strict=True):
                tokens = (_GAP if _WILD.match(token) else token.partition("<:>")[0] for token in part.split())
                tokens = (token for token in tokens if not _REPEAT.fullmatch(token))  # of the bracket before
                read = [token if token == _GAP else without_repeat(token) for token in tokens]
                words = tuple(token for token in read if token and token != _GAP)
                if words:
                    alone = left in _OPENING and right in _CLOSING and "|" in (left, right)
                    yield ListedItem(quoted(read), words, alternative=" ".join(part.split()) if alone else "")


def _border(beside: Sequence[RulePiece], at_the_end: str, place: int) -> str:
    """The sign of a rule next to a piece, in the last or the first of those `beside` it."""
    texts = [_APART if piece.words else piece.text.strip() for piece in beside]
    found = [text for text in texts if text] or [at_the_end]
    return found[place][place]


def _without_expressions(text: str) -> tuple[str, list[str]]:
    """A text with a sign in the place of each expression that asks for the letters of a word, and these."""
    found = [span for span in spans(text) if _LETTERS.fullmatch(text[slice(*span)])]
    left = text
    for start, end in reversed(found):
        left = f"{left[:start]}{_APART}{left[end:]}"
    return left, [text[start:end] for start, end in found]


def _of_class(piece: RulePiece, side: Side) -> Iterator[ListedItem]:
    """The class by its name, with all of its words; of one that was learned those that are what it is named after, and
    each other one."""
    own, stem = tuple(own_words(piece, side)), stem_of_class(piece.text)
    named = own if piece.side == side else ()
    name = piece.text.strip("@").partition("<:>")[0]
    if stem is not None:
        name = kind_of_class(stem, piece)
        named = tuple(word for word in named if name and is_of_kind(word, name))
    if named:
        yield ListedItem(name, named, many=True)
    yield from (ListedItem(quoted([word]), (word,), alternative=word) for word in own if word not in named)


def without_repeat(token: str) -> str:
    """A token of a rule without the sign that repeats it."""
    return _REPEATS.sub("", token)


def quoted(tokens: Sequence[str]) -> str:
    """Tokens that follow each other, words in quotes, a gap between two of them as “…”: `“i … and”`, `any number
    “days”`."""
    runs = [(is_word, list(run)) for is_word, run in groupby(tokens, key=lambda token: token not in SIGNS)]
    shown = (_quoted_words(run) if is_word else " ".join(SIGNS[token] for token in run) for is_word, run in runs)
    return " ".join(filter(None, shown))


def _quoted_words(tokens: Sequence[str]) -> str:
    words = " ".join(map(plain_word, tokens)).strip(f" {_GAP}")
    return f"“{words}”" if words else ""


def plain(word: str) -> str:
    """A word without quotes; a sign by its name, or in quotes."""
    named = SIGNS.get(word, plain_word(word))
    return named if any(map(str.isalnum, named)) else f"“{named}”"
