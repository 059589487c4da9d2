"""Which labelled texts figures are made on, and what is said of those that a network has learned from."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.drawing.markup import escape, html
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.run_material import RunMaterial, apart_in_words, kept_material
from re2nn_core.services.rule_review.split_roles import figure_name
from re2nn_core.services.values.stored import RunRecord, TextRecord
from re2nn_core.text.corpus import SPLITS

_ALL = "all texts"
_HELD_OUT = {
    "dev": "Held-out texts; they decided when training stopped and what of it was kept.",
    "test": "Held-out texts.",
}


def choose_split(
    records: Sequence[TextRecord], key: str, *, runs: Sequence[tuple[str, RunRecord]] = (), caution: str = ""
) -> list[int]:
    """The places of the chosen split's labelled texts; dev first, which chose when the training stopped.

    `caution`: the network has learned from dev texts too, which this says beside them; then test is opened first.
    `runs`: those that figures are made of, by how they are called, empty for one alone. Of each it is said how many of
    the texts it was not trained on, as their label waited or came later."""
    present = [split for split in SPLITS if any(r.split == split and r.label is not None for r in records)]
    offered: list[str] = [split for split in ("dev", "test", "train") if split in present] or [_ALL]
    opened = "test" if caution and "test" in offered else offered[0]
    # Whoever has looked at dev of another run would otherwise find this one on dev as well.
    key += "_turns" if caution else ""
    split = st.segmented_control("Split", offered, default=opened, required=True, key=key, label_visibility="collapsed")
    places = [
        place
        for place, record in enumerate(records)
        if record.label is not None and (split == _ALL or record.split == split)
    ]
    learned = split in ("train", _ALL) or (bool(caution) and split == "dev")
    apart = [message for who, run in runs if (message := _apart(run, records, places, who, learned=learned))]
    if caution and split != "test":
        name = f"{figure_name(split or '', learned_from_dev=True)}: " if split == "dev" else ""
        html(f'<span class="re2-muted">{escape(name + _in_words(apart, caution))}</span>')
    elif apart:
        html(f'<span class="re2-muted">{escape(" ".join(apart))}</span>')
    elif learned:
        html('<span class="re2-muted">These texts were used for training.</span>')
    elif split in _HELD_OUT:
        html(f'<span class="re2-muted">{_HELD_OUT[split]}</span>')
    return places


def _in_words(apart: Sequence[str], caution: str) -> str:
    """The caution, its claim that all was learned from in numbers where it is not so."""
    rest = caution.partition("; ")[2]
    return " ".join((*apart, rest[:1].upper() + rest[1:])).strip() if apart else caution


def _apart(run: RunRecord, records: Sequence[TextRecord], places: Sequence[int], who: str, *, learned: bool) -> str:
    material = _material_of(str(run.folder), run)
    if material is None:
        return ""
    positions = [records[place].position for place in places]
    own_predictions = bool((run.config.get("train") or {}).get("unlabelled"))
    return apart_in_words(material, positions, learned=learned, own_predictions=own_predictions, who=who)


@st.cache_resource(show_spinner=False, max_entries=8)
def _material_of(folder: str, _run: RunRecord) -> RunMaterial | None:
    """What a finished run was trained on, which does not change any more."""
    return kept_material(_run.folder)


def caution_of_pair(seen: Sequence[str]) -> str:
    """The same of two runs that are compared; `seen` names those that have learned from dev too."""
    was = "was" if len(seen) == 1 else "were"
    return f"{' and '.join(seen).capitalize()} {was} trained on dev and train texts." if seen else ""


def caution_of(run: RunRecord, records: Sequence[TextRecord]) -> str:
    """What to say of figures on dev and train texts of a run that has learned from both; empty for other runs."""
    if not learned_from_dev(run, records):
        return ""
    measured = ["at the top of the run"] if edit_of(run) is None else []
    measured += ["under test"] if any(r.split == "test" and r.label is not None for r in records) else []
    reported = f"; figures of held-out texts are {' and '.join(measured)}"
    return f"These texts were used for training{reported if measured else ''}."
