"""Which labelled texts figures are made on."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.markup import html
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import SPLITS

_ALL = "all texts"


def choose_split(records: Sequence[TextRecord], key: str) -> list[int]:
    """The places of the chosen split's labelled texts; dev first, which chose when the training stopped."""
    present = [split for split in SPLITS if any(r.split == split and r.label is not None for r in records)]
    offered: list[str] = [split for split in ("dev", "test", "train") if split in present] or [_ALL]
    split = st.segmented_control(
        "Split", offered, default=offered[0], required=True, key=key, label_visibility="collapsed"
    )
    if split in ("train", _ALL):
        html('<span class="re2-muted">The network has learned from these texts.</span>')
    return [
        place
        for place, record in enumerate(records)
        if record.label is not None and (split == _ALL or record.split == split)
    ]
