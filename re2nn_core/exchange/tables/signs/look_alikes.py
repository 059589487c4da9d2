"""Labels that are written in several ways: in capitals, hyphens, blanks, full stops, or letters of another script."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from re2nn_core.text.joined_names import join_names

_SHOWN = 3  # groups
# Small letters of the Cyrillic and the Greek script that look like Latin ones, small or as capitals.
_CYRILLIC = dict(zip("авсԁенһіјкмоԛрѕтухѵ", "abcdehhijkmoqpstyxv", strict=True))
_GREEK = dict(zip("αβεζηικμνορτυχ", "abezhikmvoptyx", strict=True))
_LETTERS = str.maketrans(_CYRILLIC | _GREEK)
# Between words; what is between numbers counts, as in 1-2, and a hyphen that ends a grade (A-).
_BETWEEN = re.compile(r"(?<=\w)(?<![\d_])[-_\u2010-\u2015\s]+(?=\w)|(?<=\w)[-_\u2010-\u2015\s]+(?=[^\W\d_])")
_AT_END = re.compile(r"(?:\s+[-_\u2010-\u2015]+|[\s.,;:!?]+)+$")


def look_alikes(values: Sequence[str]) -> list[str]:
    """What is to be said of labels that differ in capitals alone, that look alike, or that differ in signs and blanks;
    all of them stay labels of their own."""
    groups: dict[str, set[str]] = defaultdict(set)
    for value in values:
        if spelled := _as_spelled(value):
            groups[spelled].add(value.strip())
    return [_difference(sorted(group)) for group in groups.values() if len(group) > 1][:_SHOWN]


def _difference(group: Sequence[str]) -> str:
    if len({value.casefold() for value in group}) == 1:
        return f"The labels {join_names(list(map(repr, group)))} differ in capitals alone."
    seen = {_as_seen(value) for value in group}
    if len(seen) == 1:
        return (
            f"The labels {join_names(list(map(ascii, group)))} look alike and are different: write one of them in all "
            "rows."
        )
    # Escapes show what two of them do not.
    named = join_names(list(map(repr if len(seen) == len(group) else ascii, group)))
    return (
        f"The labels {named} differ in capitals, blanks or signs alone, and each is one of its own: write one of them "
        "in all rows."
    )


def _as_seen(value: str) -> str:
    """A label without what nobody sees: invisible signs, kinds of blanks, ways to write an accent, letters of another
    script; in small letters."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", value) if unicodedata.category(c) != "Cf")
    return " ".join(seen.split()).casefold().translate(_LETTERS)


def _as_spelled(value: str) -> str:
    """The same without hyphens, underscores and blanks between its words, and without signs at its end."""
    return _BETWEEN.sub("", _AT_END.sub("", _as_seen(value)))
