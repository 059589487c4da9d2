"""Names of rules: which may be given, and which a rule without one gets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

RULE_NAME = re.compile(r"[\w.+\-/]+")
LABEL = re.compile(r"[^\[\]<>=\"\s^](?:[^\[\]<>=\"\x00-\x1f\x7f]*[^\[\]<>=\"\s])?")
LABEL_ADVICE = 'A label may hold anything but the signs [ ] < > = ", and does not begin with ^.'
SLOT_LABEL = "slots"

MOST_GUESSES = 50  # unknown names of one file for which the nearest one is looked for
_COMPARED = 2_000
_NOT_IN_NAMES = re.compile(r"[^\w.+\-/]+")


def numbered_name(label: str, number: int) -> str:
    """`label.number`, with _ for what a rule's name cannot hold."""
    return f"{_NOT_IN_NAMES.sub('_', label)}.{number}"


def rule_names(rules: Iterable[tuple[str, str]]) -> list[str]:
    """The names of rules given as (label, given name or "").

    A rule without a name is called after its label and its number among the rules of that label, named ones
    counted too; an underscore is added where that name is taken.
    """
    rules = list(rules)
    taken = {given for _, given in rules if given}
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for label, given in rules:
        numbers[label] += 1
        name = given or numbered_name(label, numbers[label])
        while not given and name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def did_you_mean(name: str, known: Sequence[str], what: str, shown: int = 12) -> str:
    """Advice for a name that does not exist: the nearest one that does, and a list of the first ones."""
    if not known:
        return f"There is no {what} at all yet."
    close = get_close_matches(name, known[:_COMPARED], n=1)
    meant = f"Did you mean '{close[0]}'? " if close else ""
    more = f" and {len(known) - shown:,} more" if len(known) > shown else ""
    return f"{meant}Known here: {', '.join(known[:shown])}{more}."


def name_with_number(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it where it is taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
