"""Operators as they are written in other languages: read as plain words here, though a person means the operator.

    $* a $* but not b        but not ( b )
    a except ( b )           but not ( ... )
    book*                    glob"book*"
    re'book'  lemma:go       re"book"  lemma:"go"
    ~refund  'refund'        ~"refund"  refund
    file(cities.txt)         @city@ = file("cities.txt")
    # to do                  // to do

Each is a possible rule as it stands, so it is read, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from re2nn_core.rules.lexer import TOKEN, print_word
from re2nn_core.rules.source import Problem

_Match = re.Match[str]
# A quick look for nearly every rule, in which there is nothing of all this.
_SUSPECT = re.compile(r"['#~]|\bbut\s+not\b|\bexcept|\bexcluding|\w{3}\*|\bfile\s*\(|\b(?:lemma|glob|case|regex)\b[.:]")
_BEGIN = r"(?<![^\s()|\[])"
_END = r"(?=[\s()|*+?{\]<]|\Z)"
_SIGN = r"(?:re|glob|case|~|lemma(?:\.[a-z]+)?:?)"
_BUT_NOT = re.compile(rf"{_BEGIN}but\s+not{_END}(?!\s*\()")
_EXCEPT = re.compile(rf"{_BEGIN}(except|excluding)\s*\(")
_STAR = re.compile(rf"{_BEGIN}([^\W\d_]{{3,}})\*(?=[\s()|\]]|\Z)")
_FILE = re.compile(rf"""{_BEGIN}file\s*\(\s*(['\0]?)([^\s'"()|\0]+\.[A-Za-z]{{2,4}})\1\s*(?:,[^()]*)?\)""")
_SINGLE = re.compile(rf"{_BEGIN}({_SIGN})'([^'\n\0]+)'")
_TILDE = re.compile(rf"{_BEGIN}~([^\W\d_][^\s()|*+?{{}}\[\]@<'\0]*)")
_COLON = re.compile(rf"{_BEGIN}(lemma(?:\.[a-z]+)?|glob|case|regex):([\w*?][^\s()|\[\]@<'\0]*)")
_QUOTED = re.compile(rf"{_BEGIN}'([^\W\d_][^'\s()|*+?{{}}\[\]@<\0]+(?: +[^'\s()|*+?{{}}\[\]@<\0]+)*)'{_END}")
_HASH = re.compile(r"(?:\A\s*#(?=\s*\S)|(?<=\s)#(?=\s+\S))[^()|*+?$%&\[\]{}@\\]*\Z")


def misspelt(text: str) -> list[Problem]:
    """A warning for each, in their order; `text` is a logical line, of a rule with a name its expression alone."""
    if not _SUSPECT.search(text):
        return []
    # In quotes and comments every sign is plain.
    plain = TOKEN.sub(_hidden, text)
    found = (*_excluded(plain), *_files(plain), *_quotes(plain), *_stars(plain), *_hashes(plain))
    kept: list[Problem] = []
    for problem in sorted(found, key=lambda one: one.offset):
        if not kept or problem.offset >= kept[-1].offset + kept[-1].width:
            kept.append(problem)
    return kept


def _hidden(token: _Match) -> str:
    written = token.group()
    if written.startswith("//"):
        return " " * len(written)
    return "\0" * len(written) if '"' in written else written


def _problem(found: _Match, message: str, advice: str) -> Problem:
    return Problem(found.start(), found.end() - found.start(), message, advice)


def _excluded(plain: str) -> Iterator[Problem]:
    for found in _BUT_NOT.finditer(plain):
        rest = " ".join(plain[found.end() :].split())
        left_out = rest if rest and len(rest) <= 40 and "\0" not in rest and _balanced(rest) else "..."
        yield _problem(
            found,
            "'but not' is read as two words here, as no ( follows it",
            f'Write but not ( {left_out} ) for texts to leave out; "but" not for the words themselves.',
        )
    for found in _EXCEPT.finditer(plain):
        yield _problem(
            found,
            f"'{found[1]}' is read as a word, not as an operator",
            f'Write but not ( ... ) for texts to leave out, [^ a b ] for any other word; "{found[1]}" for the word.',
        )


def _balanced(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in ("()", "[]"))


def _files(plain: str) -> Iterator[Problem]:
    for found in _FILE.finditer(plain):
        yield _problem(
            found,
            "file(...) is read as words here, not as a list",
            f'Write @name@ = file("{found[2]}") on a line of its own, with double quotes, and @name@ in the rule.',
        )


def _quotes(plain: str) -> Iterator[Problem]:
    for found in _SINGLE.finditer(plain):
        sign = "lemma:" if found[1] == "lemma" else found[1]
        yield _problem(
            found,
            f"{found.group()} is read as a plain word: only double quotes make it an expression",
            f'Write {sign}"{found[2]}".',
        )
    for found in _COLON.finditer(plain):
        sign = {"glob": "glob", "case": "case", "regex": "re"}.get(found[1], f"{found[1]}:")
        yield _problem(
            found,
            f"'{found.group()}' is read as a plain word",
            f'Write {sign}"{found[2]}"; "{found.group()}" for the word itself.',
        )
    for found in _TILDE.finditer(plain):
        yield _problem(
            found,
            f"'{found.group()}' is read as a plain word that begins with the sign ~",
            f'Write ~"{found[1]}" for the word and typing errors of it; "{found.group()}" for the word itself.',
        )
    for found in _QUOTED.finditer(plain):
        words = " ".join(map(print_word, found[1].split()))
        yield _problem(
            found,
            f"the single quotes are read as part of {found.group()}",
            f"Write {words}: words need no quotes, and operators are made plain by double ones.",
        )


def _stars(plain: str) -> Iterator[Problem]:
    for found in _STAR.finditer(plain):
        yield _problem(
            found,
            f"'{found.group()}' is read as the word '{found[1]}' repeated, not as words that begin with it",
            f'Write glob"{found.group()}" for those; ( {found[1]} )* if this is what you mean.',
        )


def _hashes(plain: str) -> Iterator[Problem]:
    found = _HASH.search(plain)
    if found is not None:
        start = plain.index("#", found.start())
        yield Problem(
            start,
            len(plain.rstrip()) - start,
            "the sign # is read as a word or as part of one, and starts no comment",
            'Write // in front of a comment; "#" for the sign itself.',
        )
