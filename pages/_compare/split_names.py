"""What a split of the texts is called in the table of figures, and what it had a part in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.services.run_comparison import learned_from_dev
from re2nn_core.services.split_roles import figure_name, role_of
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example


def split_namer(run: RunRecord, records: Sequence[TextRecord], chose: str) -> Callable[[str], str]:
    """The name of a split: dev chose `chose`, and a network that learned from dev has seen it."""
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    learned = learned_from_dev(run, corpus)

    def name(split: str) -> str:
        role = role_of(split, chose, learned_from_dev=learned)
        named = figure_name(split, learned_from_dev=learned)
        return f"{named} ({role})" if role else named

    return name
