"""What a split of the texts is called in the table of figures, and what it had a part in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.services.run_comparison import learned_from_dev
from re2nn_core.services.run_figures import split_name
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example


def split_namer(run: RunRecord, records: Sequence[TextRecord], chose: str) -> Callable[[str], str]:
    """The name of a split: dev chose `chose`, and a network that learned from dev has seen it."""
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    learned = learned_from_dev(run, corpus)
    seen = "; the network has learned from it" if learned else ""
    names = {
        "dev": f"{split_name('dev', learned_from_dev=learned)} (chose the {chose}{seen})",
        "train": "train (helped to choose)",
        "test": "test (chose nothing)",
    }
    return lambda split: names.get(split, split)
