"""What is said of a capture that does not name its slot."""

from __future__ import annotations

import re
from collections.abc import Sequence

from re2nn_core.rules.leaves import SLOT
from re2nn_core.rules.lexer import invisible_sign

_CHARACTER_SET = re.compile(r"\^?(?:\w-\w|\w)+")


def unnamed_slot(tokens: Sequence[str], closing: str, slot: str, *, first: bool) -> tuple[str, str]:
    """What is wrong with the slot of a capture, and what to do. `tokens`: from its `[` to the one behind `closing`, its
    end; `first`: it begins the rule."""
    if slot:
        advice = "A slot's name holds letters, digits and . _ - / : ' without blanks."
        return f"'{slot}' cannot name a slot", invisible_sign(slot) or advice
    inside, behind = tokens[1:-2], tokens[-1]
    if closing == "]" and behind[:1] == "<" and SLOT.fullmatch(behind[1:-1]):
        return "the capture does not name its slot", f"Write ]{behind} without the blank between."
    advice = "Write ]<slot>, as in [ $ ]<city>, or \\[ and \\] for the signs themselves."
    if closing == "]" and len(inside) == 1 and _CHARACTER_SET.fullmatch(inside[0]):
        advice = (
            f"Write ]<slot>, as in [ {inside[0]} ]<city>. If [{inside[0]}] is a set of characters: rules match "
            "whole words, so list the words as ( a | b ), or write % for a number or $ for any word."
        )
    elif closing == "]" and first:
        advice += " A section header, [label], needs a line of its own."
    return "the capture does not name its slot", advice
