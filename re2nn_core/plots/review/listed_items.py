"""What stands on one side of a changed rule, as a list for people: words, words that follow each other, classes and
expressions inside words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from re2nn_core.plots.review.change_html import RulePiece, Side, names_no_kind, own_words, stem_of_class
from re2nn_core.plots.review.grouped_words import plain_word
from re2nn_core.rules.lexer import spans
from re2nn_core.text.case_words import NOTATION as CASED
from re2nn_core.text.lemmas import NOTATION as LEMMA
from re2nn_core.text.word_groups import kinds_of
from re2nn_core.text.word_patterns.notation import NOTATION as PATTERN

_BRACKETS = re.compile(r"[()\[\]|]|(?<=\S)<[^:>]*>")
_REPEATS = re.compile(r"(?<=.)(?:[?*+]|\{[\d,]*\})$")
_REPEAT = re.compile(r"[?*+]|\{[\d,]*\}")
SIGNS = {"%": "any number", "&": "any sign", "BOS": "the start of a text", "EOS": "the end of a text"}
_EXCEPT = re.compile(r"\[\^ .*? \](?!<(?!:>))(?:<:>\S+)?")
_ANY_WORDS_BUT = re.compile(r"\[\^ [^\]]* \](?:[?*+]|\{[\d,]*\})")  # in the place of `$*`: no word is learned by it
ANY_BUT = "[^ ]"  # as a word
_LETTERS = re.compile(rf"(?:{PATTERN}|{LEMMA}|{CASED})")
_GAP = "…"
_WILD = re.compile(r"\$[?*+]?(?:\{[\d,]*\})?$")
MOSTLY = "mostly "


@dataclass(frozen=True)
class ListedItem:
    """What is listed: a word, words that follow each other, or a class or kind of words by its name, or an expression
    as it is written; `words` are all of it, and `many`: each of them counts."""

    shown: str
    words: tuple[str, ...]
    many: bool = False
    asks_letters: bool = False  # one expression inside a word, such as re"b.*"

    @property
    def count(self) -> int:
        """How many words it stands for."""
        return len(self.words) if self.many else 1


def listed_items(pieces: Sequence[RulePiece], side: Side) -> Iterator[ListedItem]:
    """What stands on a side: words that follow each other without anything between them as one, a class of the author
    or of one kind by its name, and of any other class each word."""
    for piece in pieces:
        if piece.words:
            yield from _of_class(piece, side)
        elif piece.side == side:
            text, expressions = _without_expressions(piece.text)
            yield from (ListedItem(one, (one,), asks_letters=True) for one in expressions)
            text = _ANY_WORDS_BUT.sub(" | ", text)
            if _EXCEPT.search(text):
                yield ListedItem("any word, with exceptions", (ANY_BUT,))
            for part in _BRACKETS.split(_EXCEPT.sub(" | ", text)):
                tokens = (_GAP if _WILD.match(token) else token.partition("<:>")[0] for token in part.split())
                tokens = (token for token in tokens if not _REPEAT.fullmatch(token))  # of the bracket before
                read = [token if token == _GAP else _REPEATS.sub("", token) for token in tokens]
                words = tuple(token for token in read if token and token != _GAP)
                if words:
                    yield ListedItem(quoted(read), words)


def _without_expressions(text: str) -> tuple[str, list[str]]:
    """A text with a bar in the place of each expression that asks for the letters of a word, and these."""
    found = [span for span in spans(text) if _LETTERS.fullmatch(text[slice(*span)])]
    left = text
    for start, end in reversed(found):
        left = f"{left[:start]} | {left[end:]}"
    return left, [text[start:end] for start, end in found]


def _of_class(piece: RulePiece, side: Side) -> Iterator[ListedItem]:
    own, stem = tuple(own_words(piece, side)), stem_of_class(piece.text)
    if own and piece.side == side and (stem is None or not names_no_kind(stem, piece)):
        name = piece.text.strip("@").partition("<:>")[0] if stem is None else _kind_in_words(stem, own)
        yield ListedItem(name, own, many=True)
        return
    yield from (ListedItem(quoted([word]), (word,)) for word in own)


def _kind_in_words(stem: str, words: Sequence[str]) -> str:
    """What the words of a class are that is named after what most of them are."""
    name = stem.replace("_", " ")
    of_kind = [name in kinds_of(plain_word(word)) for word in words]
    return f"{MOSTLY}{name}" if any(of_kind) and not all(of_kind) else name


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
