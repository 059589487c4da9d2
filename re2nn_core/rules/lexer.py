r"""From the text of a rule to its tokens, and from a token to the word it stands for.

    $ % & ( ) | * + ? {2,5}    operators; they need no blanks around them
    [  ]<slot>                 a capture opens and closes
    [^  ]                      any one word but those between
    but not (                  what follows is left out, up to the end; one token for the parser
    @name@   @name<:>slot@     a word class, and one whose words are tagged
    re"b.*"  glob"b*"  ~"book" a word with such letters
    lemma:"book"               a form of a word
    case"Apple"                a word with these capital and small letters
    <:>slot                    a tag on what stands before it
    "what?"  \$                quotes and a backslash make operators plain
    // note                    up to the end of the line
    anything else              a word

`//` starts a comment at the start of a line, after a blank and after an operator; inside a word
(`http://x`) it is part of the word.
"""

from __future__ import annotations

import re

from re2nn_core.text.case_words import NOTATION as CASED
from re2nn_core.text.kinds import CASE
from re2nn_core.text.lemmas import NOTATION as LEMMA
from re2nn_core.text.word_patterns.notation import NOTATION

_WORD_SIGN = r"""[^\s()|*+?$%&\[\]{}@"\\<]|\\\S|<(?!:>)"""
WORD = re.compile(rf"(?:{_WORD_SIGN})+")
# Every sign that is no blank belongs to some token: the last alternative takes what the others leave.
TOKEN = re.compile(
    rf"""//[^\n]*
    |{NOTATION}|{LEMMA}|{CASED}
    |(?:{_WORD_SIGN})+
    |\[\^
    |[()|*+?$%&\[]
    |@[^@\s]*@
    |<:>[\w.:/'\-]*
    |\](?:<(?!:>)[^<>\n]*>)?
    |\{{[\d,\ \t]*\}}|\{{[^{{}}()|\s]*\}}?
    |"[^"\\\n]*(?:\\.[^"\\\n]*)*"
    |"[^\n]*
    |\S""",
    re.VERBOSE,
)
OPERATORS = frozenset('()|*+?$%&[]{}@"\\')
# How `but not (` reaches the parser, in the place of its first word: no token of a text is spelt so.
BUT_NOT = ")but not"
ANCHORS = frozenset(("BOS", "EOS"))

# Signs nobody sees, and operators as Chinese keyboards write them: plain in a word, but hardly meant.
INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
TYPOGRAPHIC_QUOTES = "“”„‟＂"
WIDE_OPERATORS = {"（": "(", "）": ")", "｜": "|", "＊": "*"}

_ODD_SIGN = rf"""\s()|*+?$%&\[\]{{}}@"\\{INVISIBLE}{TYPOGRAPHIC_QUOTES}{"".join(WIDE_OPERATORS)}"""
_PLAIN_WORD = re.compile(rf"[^{_ODD_SIGN}^=][^{_ODD_SIGN}]*")
_MISREAD = ("<:>", ":=", "//")
# Words that are read with a warning, since they look like an operator (warnings/misspelt.py).
_LIKE_OPERATOR = re.compile(r"[#~].*|(?:\w+:?)?'.+'|(?:lemma(?:\.[a-z]+)?|glob|case|regex):.+")
_LIKE_BUT_NOT = frozenset(("except", "excluding"))
# How a slot is written behind a capture, at the end of a word.
SLOT_IN_WORD = re.compile(r"<[\w.:/'\-]+>\Z")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\(["\\])')


def invisible_sign(text: str) -> str | None:
    """What to do about a sign of a name that nobody sees; None where there is none."""
    found = _INVISIBLE.search(text)
    return found and f"It holds an invisible sign (U+{ord(found.group()):04X}). Remove it by typing the name again."


class BadTokenError(Exception):
    """A token that stands for nothing: what is wrong and what to write instead.

    `to_the_end` where it has swallowed the rest of the line, so that nothing can be said of that.
    """

    def __init__(self, message: str, advice: str, *, to_the_end: bool = False) -> None:
        super().__init__(message)
        self.message, self.advice, self.to_the_end = message, advice, to_the_end


def rule_tokens(text: str) -> list[str]:
    """The tokens of a logical line, its comment last."""
    return TOKEN.findall(text)


def with_but_not(tokens: list[str]) -> list[str]:
    """The tokens with BUT_NOT in the place of each `but` in front of `not (`; as many as they were."""
    if "but" not in tokens:
        return tokens
    places = range(len(tokens) - 2)
    found = [place for place in places if tokens[place] == "but" and tokens[place + 1 : place + 3] == ["not", "("]]
    return [BUT_NOT if place in found else lexeme for place, lexeme in enumerate(tokens)] if found else tokens


def spans(text: str) -> list[tuple[int, int]]:
    """The half-open range of characters of each token that `rule_tokens` gives."""
    return [match.span() for match in TOKEN.finditer(text)]


def comment_start(text: str) -> int | None:
    """Where the comment of one physical line starts; None where there is none."""
    if "//" not in text:
        return None
    return next((match.start() for match in TOKEN.finditer(text) if match.group().startswith("//")), None)


def read_word(token: str) -> str:
    """The word that a plain or quoted token stands for; BadTokenError where it stands for none."""
    if token.startswith('"'):
        return _read_quoted(token)
    if "\\" not in token:
        return token
    for match in _ESCAPE.finditer(token):
        if match.group(1).isalnum():
            message = f"a backslash before '{match.group(1)}' means nothing in a rule"
            raise BadTokenError(message, _escape_advice(match.group(1)))
    return _ESCAPE.sub(r"\1", token)


def _read_quoted(token: str) -> str:
    if len(token) < 2 or not token.endswith('"') or _is_open(token):
        advice = 'Close it, as in "word"; write \\" for the sign itself.'
        raise BadTokenError("the quote is never closed", advice, to_the_end=True)
    word = _QUOTED_ESCAPE.sub(r"\1", token[1:-1])
    if not word:
        raise BadTokenError("the quotes are empty", "Write a word there, or ( ) for no word.")
    if re.search(r"\s", word):
        plain = " ".join(print_word(part) for part in word.split())
        raise BadTokenError(
            "a word cannot hold a blank",
            f"Write the words one after the other, without the quotes around them all: {plain}",
        )
    return word


def _is_open(token: str) -> bool:
    """True where the last quote of a quoted token is escaped, so that none closes it."""
    body = token[1:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _escape_advice(letter: str) -> str:
    known = {
        "d": "Rules match words, not characters: write % for a number.",
        "w": "Rules match words, not characters: write $ for any one word.",
        "b": "Leave it out: rules match whole words, so every word has its borders already.",
        "s": "Leave it out: a blank between two words is all that is needed.",
        "S": "Rules match words, not characters: write $ for any one word.",
        "W": "Rules match words, not characters: write & for a punctuation token.",
        "D": "Rules match words, not characters: write $ for any one word.",
    }
    return known.get(
        letter if letter in known else letter.lower(),
        "A backslash escapes an operator, as in \\$ or \\?; write \\\\ for the backslash itself.",
    )


def print_word(word: str) -> str:
    """The word as a rule file holds it: as it is, or quoted where it would be read as something else."""
    if word.startswith(CASE):
        return f'case"{word[len(CASE) :]}"'
    if needs_quotes(word):
        return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return word


def needs_quotes(word: str) -> bool:
    """True for a word that would be read as something else, or with a warning, if it stood there as it is."""
    if word.isascii() and word.isalnum():  # nearly every word
        return word in ANCHORS or word in _LIKE_BUT_NOT
    if _LIKE_OPERATOR.fullmatch(word):
        return True
    if not _PLAIN_WORD.fullmatch(word) or any(signs in word for signs in _MISREAD):
        return True
    return SLOT_IN_WORD.search(word) is not None
