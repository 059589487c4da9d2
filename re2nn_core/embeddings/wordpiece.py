"""WordPiece: how uncased BERT models cut text into pieces of their vocabulary (Devlin et al., 2019).

Characters are cleaned, lowered and stripped of accents; CJK signs and punctuation stand alone; each word is
then cut greedily into the longest pieces the vocabulary has, the ones inside a word marked with "##".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

_LONGEST_WORD = 100
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True)
class WordPiece:
    """A vocabulary of pieces, in the order of their numbers; holds [CLS], [SEP], [PAD] and [UNK]."""

    pieces: tuple[str, ...]

    @cached_property
    def index(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.pieces)}

    @cached_property
    def plain(self) -> dict[str, int]:
        """The numbers of the words of small letters without accents that are one piece: there are thousands, and
        nothing is to be cut."""
        words = ((piece, number) for number, piece in enumerate(self.pieces) if len(piece) <= _LONGEST_WORD)
        return {piece: number for piece, number in words if piece.isascii() and piece.isalpha() and piece.islower()}

    def encode(self, text: str, longest: int = 256) -> list[int]:
        """The numbers of [CLS], the pieces of the text and [SEP]; at most `longest` of them."""
        return [self.index["[CLS]"], *self.cut_word(text)[: longest - 2], self.index["[SEP]"]]

    def cut_word(self, text: str) -> list[int]:
        """The numbers of the pieces of a word, or of a longer text, without the marks around it."""
        if text in self.plain:
            return [self.plain[text]]
        return [number for word in _words(text) for number in self._cut(word)]

    def _cut(self, word: str) -> list[int]:
        """The longest pieces from left to right; [UNK] for a word that cannot be cut."""
        if len(word) > _LONGEST_WORD:
            return [self.index["[UNK]"]]
        numbers = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self.index.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return [self.index["[UNK]"]]
            numbers.append(number)
            start = end
        return numbers


def _words(text: str) -> Iterator[str]:
    """Lower-case words without accents, punctuation signs and CJK signs apart."""
    spaced = "".join(f" {c} " if _is_cjk(c) else c for c in map(_clean, text))
    for word in spaced.split():
        plain = "".join(c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn")
        yield from "".join(f" {c} " if _is_sign(c) else c for c in plain).split()


def _clean(character: str) -> str:
    """A blank for any white space, nothing for control characters, else the character."""
    if character in "\t\n\r" or unicodedata.category(character) == "Zs":
        return " "
    if character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    return character


def _is_cjk(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _CJK) if character else False


def _is_sign(character: str) -> bool:
    """Unicode punctuation, and the ASCII signs that Unicode calls symbols."""
    ascii_sign = "!" <= character <= "/" or ":" <= character <= "@" or "[" <= character <= "`"
    return ascii_sign or "{" <= character <= "~" or unicodedata.category(character).startswith("P")
