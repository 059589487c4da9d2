"""Labels of texts that no rule can have, because of the signs in their names."""

from __future__ import annotations

from collections.abc import Iterable

from re2nn_core.rules.names import LABEL, LABEL_ADVICE
from re2nn_core.text.joined_names import first_quoted

_NAMED = 6


def refused_labels(labels: Iterable[str]) -> str:
    """Which of these labels no rule can have, and what to do, in words; empty where there is none."""
    refused = [label for label in labels if not LABEL.fullmatch(label)]
    if not refused:
        return ""
    what = "this label" if len(refused) == 1 else "these labels"
    named = first_quoted(refused, _NAMED)
    return f"No rule can be written for {what}: {named}. {LABEL_ADVICE} Rename {what} in the file first."
