"""Tokenizers that keep character offsets, so that every token can be shown where it stands in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import Literal, get_args

from re2nn_core.text import chinese
from re2nn_core.text.kinds import CASE
from re2nn_core.text.word_form import composed, word_form
from re2nn_core.text.word_parts import CLITIC_ALONE, cut_parts, may_have_parts

TokenizerKind = Literal["whitespace", "punctuation", "characters", "word-parts", "jieba"]
TOKENIZER_KINDS: tuple[TokenizerKind, ...] = get_args(TokenizerKind)
# Those that need no extra.
SPLITTING_KINDS: tuple[TokenizerKind, ...] = ("whitespace", "punctuation", "characters", "word-parts")

# Chinese characters and the Japanese ones beside them, which are written without blanks between words: radicals, kana,
# bopomofo, ideographs of all blocks. Korean has blanks and is read as other letters are.
_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
_CJK += "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_LETTER = f"[^\\W{_CJK}]"
_WORD_SIGN = "\\w"
_APART = f"{_LETTER}+(?:[.'’\\-]{_LETTER}+)*|[^\\s]"

_PATTERNS: dict[str, re.Pattern[str]] = {
    "whitespace": re.compile(r"\S+"),
    # A run of letters, digits, marks and inner . ' - _ between them; anything else stands alone.
    "punctuation": re.compile(r"\w+(?:[.'’\-]\w+)*|[^\w\s]"),
    # The same for other scripts; each CJK character is a word.
    "characters": re.compile(_APART),
    # The same, before the parts of words are cut.
    "word-parts": re.compile(f"{CLITIC_ALONE.format(_WORD_SIGN)}|{_APART}"),
    # The same again, but runs of CJK characters stay together until jieba cuts them.
    "jieba": re.compile(f"[{_CJK}]+|{_APART}"),
}
# Whose words of ASCII signs are the words of what stands between blanks.
_BLANKS_PART = ("whitespace", "punctuation", "characters")
_MOST_RUNS, _LONGEST_RUN = 20_000, 60  # that are kept, and the characters of one
_CHINESE = re.compile(f"[{_CJK}]{{2}}")
_CHINESE_SIGN = re.compile(f"[{_CJK}]")


# Signs beside the marks of Unicode that belong to the sign in front: joiners, the soft hyphen, the tones of skin, and
# the tags in flags of regions. Other flags are two letters.
_JOINED = "\u200c\u200d\u2060\u00ad\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
_UNSEEN_BLANKS = "\u200b\ufeff"  # they part words as a blank does
# The planes of letters and signs, and the one of variation selectors: no marks stand elsewhere.
_PLACES_OF_MARKS = (range(0x300, 0x20000), range(0xE0100, 0xE01F0))


@cache
def _pattern_for_all(kind: str) -> re.Pattern[str]:
    """The pattern of a tokenizer for texts with marks: each is part of the word or sign that it stands on, and what
    joiners join is one sign (a small part of Unicode Standard Annex 29)."""
    if kind == "whitespace":
        return _PATTERNS[kind]
    on = f"[{_marks()}{_JOINED}]"
    letter = f"(?:{_WORD_SIGN if kind == 'punctuation' else _LETTER}{on}*)+"
    sign = f"[^\\s{_marks()}{_JOINED}{_UNSEEN_BLANKS}]{on}*"
    flag = f"[{_FLAG_LETTERS}]{{2}}"
    # A tone of skin may stand alone: a coloured square.
    apart = f"{letter}(?:[.'’\\-]{letter})*|{flag}|{sign}(?:(?<=\u200d){sign})*|[\U0001f3fb-\U0001f3ff]"
    if kind == "word-parts":
        return re.compile(f"{CLITIC_ALONE.format(_WORD_SIGN + _marks() + _JOINED)}|{apart}")
    return re.compile(f"[{_CJK}]+|{apart}" if kind == "jieba" else apart)


def _pattern(kind: str, text: str) -> re.Pattern[str]:
    """Most texts have no mark, and are cut faster."""
    return _PATTERNS[kind] if text.isascii() or _sign_of_many().search(text) is None else _pattern_for_all(kind)


@cache
def _sign_of_many() -> re.Pattern[str]:
    """Finds what is no word and no part of one by the plain patterns, but should be."""
    return re.compile(f"[{_marks()}{_JOINED}{_UNSEEN_BLANKS}{_FLAG_LETTERS}]")


@cache
def _marks() -> str:
    """The combining marks of Unicode, as ranges of a character class."""
    codes = [code for places in _PLACES_OF_MARKS for code in places if unicodedata.category(chr(code))[0] == "M"]
    begins = [code for code, before in zip(codes, [-1, *codes], strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if after != code + 1]
    return "".join(f"\\U{begin:08x}-\\U{end:08x}" for begin, end in zip(begins, ends, strict=True))


@dataclass(frozen=True)
class Token:
    """A word and the half-open range of characters `[start, end)` it was read from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Tokenization:
    """How texts become words.

    `whitespace` cuts at blanks only; `punctuation` also splits signs off; `characters` also makes each Chinese or
    Japanese character a word; `word-parts` cuts words as well, at hyphens, before 's and n't, and between a number and
    its unit; `jieba` cuts Chinese into words with the extra package of that name. `cased`: the spellings that rules
    tell from others though case is ignored (case_words.py); projects and models keep them in their rules.
    """

    kind: TokenizerKind = "whitespace"
    lowercase: bool = True
    cased: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.kind not in _PATTERNS:
            raise ValueError(f"tokenizer kind must be one of {', '.join(_PATTERNS)} (got {self.kind!r})")

    @property
    def settings(self) -> dict[str, str | bool]:
        """What projects and models store of it."""
        return {"kind": self.kind, "lowercase": self.lowercase}


def tokenize(text: str, tokenization: Tokenization) -> tuple[Token, ...]:
    """The tokens of a text: words in NFC, offsets in the text as it is. InputError where jieba is asked for and
    missing."""
    places = _places(text, tokenization)
    if text.isascii() and not tokenization.lowercase:
        return tuple(Token(text[start:end], start, end) for start, end in places)
    lowercase = tokenization.lowercase
    if tokenization.cased:
        form = partial(_cased_form, tokenization.cased)
        return tuple(Token(form(text[start:end]), start, end) for start, end in places)
    return tuple(Token(word_form(text[start:end], lowercase=lowercase), start, end) for start, end in places)


def _cased_form(cased: frozenset[str], written: str) -> str:
    """The word in small letters, but a word of its own where its spelling is told from others."""
    surface = composed(written)
    return CASE + surface if surface in cased else word_form(written, lowercase=True)


def word_borders(text: str, tokenization: Tokenization) -> list[tuple[int, int]]:
    """Where the tokens of a text begin and end: `tokenize` without the words themselves, in a fraction of its time."""
    return list(_places(text, tokenization))


def _places(text: str, tokenization: Tokenization) -> Iterator[tuple[int, int]]:
    matches = _pattern(tokenization.kind, text).finditer(text)
    cut = _CUTTERS.get(tokenization.kind)
    return map(re.Match.span, matches) if cut is None else cut(text, matches)


def suggested_kind(texts: Sequence[str]) -> TokenizerKind:
    """`characters` where one character in five that is no blank is Chinese or Japanese, else `punctuation`."""
    together = "".join("".join(text.split()) for text in texts)
    return "characters" if 5 * len(_CHINESE_SIGN.findall(together)) > len(together) else "punctuation"


def words(text: str, tokenization: Tokenization) -> tuple[str, ...]:
    """The words of a text, without offsets: what rules and networks read."""
    # In one go where that is the same; the small form of a sigma depends on what stands behind it.
    if tokenization.kind != "jieba" and tokenization.lowercase and not _may_be_cased(text, tokenization.cased):
        lowered = text.lower()
        if text.isascii() and tokenization.kind in _BLANKS_PART:
            return _ascii_words(lowered, tokenization.kind)
        if text.isascii() or (len(lowered) == len(text) and "Σ" not in text and composed(lowered) == lowered):
            found = _pattern(tokenization.kind, lowered).findall(lowered)
            return tuple(_in_parts(found) if tokenization.kind == "word-parts" and may_have_parts(lowered) else found)
    return tuple(token.text for token in tokenize(text, tokenization))


def _ascii_words(text: str, kind: TokenizerKind) -> tuple[str, ...]:
    """The words of a text of ASCII signs."""
    between = text.split()
    return tuple(between if kind == "whitespace" else chain.from_iterable(map(_RUNS[kind].__getitem__, between)))


class _Runs(dict[str, list[str]]):
    """The words of what stands between blanks, as found with a pattern; most of it comes again."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        super().__init__()
        self.pattern = pattern

    def __missing__(self, run: str) -> list[str]:
        if len(self) >= _MOST_RUNS:
            self.clear()
        found = self.pattern.findall(run)
        if len(run) <= _LONGEST_RUN:
            self[run] = found
        return found


_RUNS = {kind: _Runs(_PATTERNS[kind]) for kind in _BLANKS_PART}


def _may_be_cased(text: str, cased: frozenset[str]) -> bool:
    """Whether a text may hold one of the spellings; False for most texts."""
    return bool(cased) and (not text.isascii() or any(surface in text for surface in cased))


def _in_parts(found: Sequence[str]) -> Iterator[str]:
    return chain.from_iterable(map(cut_parts, found))


def words_of_all(texts: Iterable[str], tokenization: Tokenization) -> list[tuple[str, ...]]:
    """`words` for many texts."""
    return [words(text, tokenization) for text in texts]


def _cut_parts(_: str, matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The places of the parts of the matches."""
    for match in matches:
        start = match.start()
        for piece in cut_parts(match.group()):
            yield start, start + len(piece)
            start += len(piece)


def _cut_chinese(text: str, matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The places of the matches, those of several Chinese characters cut into words."""
    for match in matches:
        start, end = match.span()
        if not _CHINESE.match(text, start):
            yield start, end
            continue
        for piece in chinese.cut(match.group()):
            yield start, start + len(piece)
            start += len(piece)


_CUTTERS = {"word-parts": _cut_parts, "jieba": _cut_chinese}
