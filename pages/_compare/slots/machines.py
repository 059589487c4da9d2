"""The transducer of a rule as it was written and as it was read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from pages._automaton.drawing import FITTED_ARCS, arc_columns
from pages._automaton.slot_choose import rule_machine
from pages._automaton.slot_drawing import slot_style
from pages._compare.slots.read import Compared
from pages._compare.slots.rule_list import Entry
from pages._shared import messages
from pages._shared.labels import Palette
from pages._shared.markup import escape, html
from re2nn_core.automata.transducer import Transducer
from re2nn_core.plots.transducer import drawn_arcs, tag_machine_dot, tag_machine_refusal
from re2nn_core.services.slot_machine_views import TagMachineView
from re2nn_core.services.slot_reconstruction import LearnedRule
from re2nn_core.services.slot_systems import SlotSystem

_TABLE_HEIGHT = 320
_AS_THEY_ARE = ":not(.gone):not(.new)"  # as the style of this page says of arcs that did not change
_LEGEND = (
    "An arrow reads a word; behind the stroke stands the tag that the word gets. Where there is none, the rule says "
    "nothing about the word."
)


def draw_machines(compared: Compared, rule: Entry, palette: Palette) -> None:
    """Both side by side, or one below the other; one alone where the rule is new or as it was."""
    sides = [(title, rule_machine(system, rule.name)) for title, system in _systems(compared, rule)]
    colours = {slot: palette.colour(slot) for slot in palette.labels}
    st.html(slot_style(colours, _AS_THEY_ARE))
    with st.container(horizontal=True, vertical_alignment="center"):
        html(f'<div class="re2-muted">{_LEGEND}</div>')
        large = len(sides) > 1 and (any(_arcs(view) > FITTED_ARCS for _, view in sides) or _asked_larger())
    places: Sequence[st.delta_generator.DeltaGenerator] = (
        [st.container() for _ in sides] if large or len(sides) == 1 else st.columns(len(sides), gap="small")
    )
    for place, (title, view) in zip(places, sides, strict=True):
        with place:
            _draw_side(title, view, colours)


def _arcs(view: TagMachineView) -> int:
    return 0 if view.transducer is None else sum(1 for _ in drawn_arcs(view.transducer))


def _asked_larger() -> bool:
    return st.toggle("One below the other, larger", key="compare_slots_large", persist_state="session")


def _systems(compared: Compared, rule: Entry) -> list[tuple[str, SlotSystem]]:
    written, back = ("Transducer as written", compared.original), ("Transducer read back", compared.reconstructed)
    if isinstance(rule, LearnedRule):
        return [back]
    return [written] if rule.kept_original else [written, back]


def _draw_side(title: str, view: TagMachineView, colours: Mapping[str, str]) -> None:
    machine = view.transducer
    size = "" if machine is None else f": {len(machine):,} states"
    html(f'<div class="re2-head">{escape(title + size)}</div>')
    if machine is None:
        st.caption(messages.plain(view.refusal))
    elif tag_machine_refusal(machine) is not None:
        _draw_table(machine)
    else:
        st.graphviz_chart(tag_machine_dot(machine, colours), alt=f"{title}, with {len(machine)} states")


def _draw_table(machine: Transducer) -> None:
    """The arcs of a machine that nobody could read a drawing of."""
    arcs = list(drawn_arcs(machine))
    st.caption(f"Too large to be read as a drawing; these are its {len(arcs):,} arrows.")
    columns, config = arc_columns(arcs, machine.finals)
    st.dataframe(pd.DataFrame(columns), column_config=config, hide_index=True, height=_TABLE_HEIGHT)
