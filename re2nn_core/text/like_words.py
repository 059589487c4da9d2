"""How rules name words of like meaning: `@~refund:0.6@`, all words whose vector is so near to that of "refund".

It is the name of a word class. Which words are in it is decided once, from vectors, and kept with the rules as the
definition of that class, with the digest of the vectors in its comment; so that automata, networks and certificates
read words as they always do, and nothing changes when vectors do.

    @~refund:0.6@=( refund | refunds | reimbursement ) // vectors builtin, sha256 0a1b2c3d4e5f6071, nearness 0.6
    $* @~refund:0.6@ $*
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from re2nn_core.text.word_patterns.letter_automaton import PatternError

SIGN = "~"
_NAME = re.compile(r"~([^@\s:]+):(\d*\.?\d+)")
_NOTED = re.compile(r"sha256 [0-9a-f]+, nearness (\d*\.?\d+)")
_ADVICE = "Write the words and how near others have to be, from 0.05 to 0.99: @~refund:0.6@, @~refund,money:0.5@."
LEAST, MOST = 0.05, 0.99


@dataclass(frozen=True)
class LikeWords:
    """The named words, and the least cosine of a vector with that of one of them."""

    words: tuple[str, ...]
    nearness: float

    @property
    def name(self) -> str:
        """The name of the class, without the signs around it."""
        return f"{SIGN}{','.join(self.words)}:{self.nearness:g}"


def is_like(name: str) -> bool:
    """Whether the name of a class asks for words of like meaning."""
    return name.startswith(SIGN)


def decided_for(name: str, note: str) -> float | None:
    """The nearness that the words of a definition were found for, by its comment, where it is not the one of the name;
    None where they agree or the comment does not say."""
    noted, asked = _NOTED.search(note), _NAME.fullmatch(name)
    if noted is None or asked is None or float(noted[1]) == float(asked[2]):
        return None
    return float(noted[1])


def read_like(name: str) -> LikeWords:
    """What a name asks for. PatternError."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise PatternError(f"'@{name}@' does not name words and a nearness", _ADVICE)
    words = tuple(dict.fromkeys(word for word in found[1].split(",") if word))
    if not words:
        raise PatternError(f"'@{name}@' names no word", _ADVICE)
    nearness = float(found[2])
    if not LEAST <= nearness <= MOST:
        raise PatternError(f"the nearness {found[2]} is not between {LEAST} and {MOST}", _ADVICE)
    return LikeWords(words, nearness)
