"""How a rule asks for the letters of one word, and which words it gets.

re"book(ing)?s?"    Python's regular expression, matched with the whole word
glob"book*"         * for any characters, ? for one; `book*` itself is the word book any number of times
~"refund"           at most one typing error, two from eight characters on
"""

from __future__ import annotations

import re
from functools import lru_cache

from re2nn_core.text.word_patterns.letter_automaton import LetterAutomaton, PatternError, of_regex, of_typing_errors

NOTATION = r'(?:re|glob|~)"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_PATTERN = re.compile(NOTATION)
_LONG_WORD = 8  # characters from which on two typing errors are allowed
_KNOWN = 4_096


def is_pattern(text: str) -> bool:
    """Whether a token of a rule asks for the letters of a word."""
    return text.endswith('"') and _PATTERN.fullmatch(text) is not None


@lru_cache(maxsize=_KNOWN)
def automaton_of(pattern: str) -> LetterAutomaton:
    """The automaton of a pattern as a rule writes it. PatternError."""
    sign, body = _parts(pattern)
    if not body:
        raise PatternError("the quotes are empty", f'Write what the word is like between them, as in {sign}"book".')
    if re.search(r"\s", body):
        each = " ".join(f'{sign}"{part}"' for part in body.split())
        # Parentheses around a blank would be torn apart.
        whole = body.count("(") == 0 and "[" not in body
        shown = each if whole else f'{sign}"..." {sign}"..."'
        raise PatternError("one word is matched, and no word has a blank", f"Write one for each word: {shown}.")
    if sign == "~":
        word = _unescaped(body)
        return of_typing_errors(word, 2 if len(word) >= _LONG_WORD else 1)
    return of_regex(_of_glob(_unescaped(body)) if sign == "glob" else body)


@lru_cache(maxsize=500_000)
def matches(pattern: str, word: str) -> bool:
    """Whether a pattern holds for a word of a text."""
    return automaton_of(pattern).accepts(word)


def folded(pattern: str) -> str:
    """The pattern where capital letters and small ones are the same, so that all words are in small letters."""
    sign, body = _parts(pattern)
    if body == body.lower():
        return pattern
    if sign != "re":
        return f'{sign}"{body.lower()}"'
    return pattern if body.startswith("(?i)") else f're"(?i){body}"'


def _parts(pattern: str) -> tuple[str, str]:
    sign, _, body = pattern[:-1].partition('"')
    return sign, body


def _unescaped(body: str) -> str:
    return re.sub(r"\\(.)", r"\1", body)


def _of_glob(body: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(character, re.escape(character)) for character in body)
