"""Labels that are made of several: "price, speed" where price and speed are labels too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

MOST_LABELS = 1_000
_FEWEST_JOINED = 2
_JOINS = re.compile(r"[,;|/+#]|>\s*<|\]\s*\[")
_AROUND = "<>[] \t\n"  # of each label where they are written one behind the other, <price><speed>
_BARRED = re.compile(r"\w\s*[|;#]\s*\w")  # signs that hardly a name has
_LISTED = re.compile(r",|\s\+\s|\s*\n\s*")  # signs of lists, which names have too
_ANY_SIGN = re.compile(r"\s*(?:[^\w\s/]|_|\n|\t)+\s*|\s+and\s+", re.IGNORECASE)


def joined_labels(values: Sequence[str]) -> list[str]:
    """Those of the distinct values that are made of several labels, at least two of them or none: "price, speed" where
    price and speed are labels too, or are parts of other such values, now first and now behind another one. "Food,
    drink" is one label where "food" and "drink" are nowhere else."""
    parts = {value: [part.strip(_AROUND).casefold() for part in _JOINS.split(value)] for value in values}
    several = {value: found for value, found in parts.items() if len(found) > 1 and all(found)}
    alone = {found[0] for value, found in parts.items() if value not in several}
    again = {part for part, count in Counter(chain(*map(set, several.values()))).items() if count > 1}
    joined = {value: found for value, found in several.items() if alone.union(again).issuperset(found)}
    first, behind = {found[0] for found in joined.values()}, {part for found in joined.values() for part in found[1:]}
    # Of "billing/refund" and "account/refund" each part has its place, as levels have.
    mixed = first & behind or any(alone.issuperset(found) for found in joined.values())
    # A single one is enough where all its parts are labels of other texts, and the sign is a comma or in hardly a name.
    known = [v for v, found in joined.items() if alone.issuperset(found) and (_BARRED.search(v) or "," in v)]
    return list(joined) if len(joined) >= _FEWEST_JOINED and mixed else known


def may_be_joined(values: Sequence[str]) -> list[str]:
    """Those of the distinct values that may be made of several labels: by a sign that hardly a name has, or by a sign
    of lists where the values share a part ("billing, vip" and "login, vip"), or by any sign but a slash between
    labels of other texts ("sad & angry")."""
    labels = {value.strip().casefold() for value in values}
    listed = {value: parts for value in values if len(parts := _parts(_LISTED, value)) > 1 and all(parts)}
    counts = Counter(chain.from_iterable(map(set, listed.values())))
    sharing = {value for value, parts in listed.items() if any(counts[part] > 1 for part in parts)}
    return [v for v in values if _BARRED.search(v) or v in sharing or _is_joined(v, labels)]


def _parts(signs: re.Pattern[str], value: str) -> list[str]:
    return [part.strip().casefold() for part in signs.split(value)]


def _is_joined(value: str, labels: set[str]) -> bool:
    """Cut at any sign all parts are labels of other texts, and words: 1-2 may be from 1 to 2."""
    parts = _parts(_ANY_SIGN, value)
    return len(set(parts)) > 1 and labels.issuperset(parts) and not any(part.isdecimal() for part in parts)


def names_joined(values: Sequence[str]) -> int:
    """How many labels the distinct values are made of, where some of them join several; else 0."""
    if len(values) > MOST_LABELS or not joined_labels(values):
        return 0
    return len({part.strip(_AROUND).casefold() for value in values for part in _JOINS.split(value)})
