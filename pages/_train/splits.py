"""Which labelled texts figures are made on, and what is said of those that a network has learned from."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.markup import escape, html
from re2nn_core.services.run_comparison import learned_from_dev
from re2nn_core.services.run_edits import edit_of
from re2nn_core.services.split_roles import figure_name
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import SPLITS, Corpus, Example

_ALL = "all texts"


def choose_split(records: Sequence[TextRecord], key: str, *, caution: str = "") -> list[int]:
    """The places of the chosen split's labelled texts; dev first, which chose when the training stopped.

    `caution`: the network has learned from dev texts too, which this says beside them; then test is opened first."""
    present = [split for split in SPLITS if any(r.split == split and r.label is not None for r in records)]
    offered: list[str] = [split for split in ("dev", "test", "train") if split in present] or [_ALL]
    opened = "test" if caution and "test" in offered else offered[0]
    # Whoever has looked at dev of another run would otherwise find this one on dev as well.
    key += "_turns" if caution else ""
    split = st.segmented_control("Split", offered, default=opened, required=True, key=key, label_visibility="collapsed")
    if caution and split != "test":
        name = f"{figure_name(split or '', learned_from_dev=True)}: " if split == "dev" else ""
        html(f'<span class="re2-muted">{escape(name + caution)}</span>')
    elif split in ("train", _ALL):
        html('<span class="re2-muted">The network has learned from these texts.</span>')
    return [
        place
        for place, record in enumerate(records)
        if record.label is not None and (split == _ALL or record.split == split)
    ]


def caution_of(run: RunRecord, records: Sequence[TextRecord]) -> str:
    """What to say of figures on dev and train texts of a run that has learned from both; empty for other runs."""
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    if not learned_from_dev(run, corpus):
        return ""
    measured = ["the head"] if edit_of(run) is None else []
    measured += ["test"] if any(r.split == "test" and r.label is not None for r in records) else []
    told = f"; how it does on new ones is what {' and '.join(measured)} say{'' if measured[1:] else 's'}"
    return f"This network has learned from these texts{told if measured else ''}."
