"""What a name on one line may hold: labels, slots, people, projects."""

from __future__ import annotations

import unicodedata

# The longest label, and the longest name of a slot, in characters.
LABEL_LENGTH = 200
_BREAKING = ("Cc", "Zl", "Zp")


def line_fault(line: str, longest: int = LABEL_LENGTH) -> str:
    """Why a line without outer blanks is none, as the end of a sentence; empty where it is fine."""
    if len(line) > longest:
        return f"has {len(line)} characters; at most {longest} can be stored"
    for place, character in enumerate(line, start=1):
        if unicodedata.category(character) in _BREAKING:
            return f"holds the control character U+{ord(character):04X} at character {place}"
    return ""
