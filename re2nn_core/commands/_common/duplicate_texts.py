"""Texts for training that are there several times: what they do to figures, and labels that contradict each other."""

from __future__ import annotations

from re2nn_core.commands._common.options import note
from re2nn_core.errors import shortened
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

_MANY = 0.1  # of the labelled texts


def report_duplicates(corpus: Corpus) -> None:
    """Say where many labelled texts are duplicates, and where duplicates have different labels."""
    labels: dict[str, list[str]] = {}
    for example in corpus:
        if example.label is not None:
            labels.setdefault(" ".join(example.text.split()).casefold(), []).append(example.label)
    total = sum(map(len, labels.values()))
    duplicates = total - len(labels)
    if duplicates > _MANY * total:
        note(
            f"{duplicates:,} of {counted(total, 'labelled text')} are duplicates, so figures are higher and surer "
            "than on new texts. Leave duplicates out to measure new texts."
        )
    unlike = {text: sorted(set(own)) for text, own in labels.items() if len(set(own)) > 1}
    if unlike:
        text, own = next(iter(unlike.items()))
        note(
            f"{counted(len(unlike), 'text')} with different labels, such as '{shortened(text)}' "
            f"({join_names(own)}): training uses them all. Correct the labels."
        )
