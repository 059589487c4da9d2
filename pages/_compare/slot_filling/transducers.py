"""The transducer of a rule as it was written and as it was reconstructed."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages._automaton.drawing import arc_columns
from pages._automaton.slot_filling.choose import rule_machine
from pages._automaton.slot_filling.drawing import slot_style
from pages._compare.chosen_rule import SlotRule
from pages._compare.drawing.union import Titles, draw_union, stamp_of
from pages._compare.drawing.union_list import Weights
from pages._compare.drawing.weight_switch import wants_weights
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.cached.word_counts import word_counts
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html, section
from re2nn_core.guide.glossary import definition
from re2nn_core.plots.transducer import drawn_arcs, tag_machine_dot, tag_machine_refusal
from re2nn_core.services.automaton_views.slot_filling.views import TagMachineView
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.services.rule_difference.language_difference import language_verdict
from re2nn_core.services.rule_difference.slot_filling.weighted_differences import weights_of_tagged_arcs
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.automata import Transducer
from re2nn_core.text.counting import counted

_TABLE_HEIGHT = 320
_SIDES = "the written rule", "the reconstructed rule"
_PAIRS = 20_000  # an example is worth no long search
_AS_THEY_ARE = ":not(.gone):not(.new)"  # as the style of this page says of arcs that did not change
_LEGEND = "A transition matches a word; the tag of the word follows the slash. Words without a tag belong to no slot."


def draw_machines(chosen: SlotRule, example: str) -> None:
    """Both laid over one another, lines as thick as training changed their weight; one alone where the rule is new or
    as it was. `example` goes through both at first; where it is empty a sentence that tells the two apart."""
    compared, name, palette = chosen.compared, chosen.change.name, chosen.palette
    sides = _systems(chosen)
    section("Transducers of both rules" if len(sides) == 2 else "Transducer", meaning=definition("Transducer"))
    if len(sides) == 2:
        (left, written), (right, back) = sides
        stamp = stamp_of(written.rules_text, compared.found.rules_text, name)
        drawn = _drawn(stamp, name, written, back)
        weights = _weights(chosen, drawn)
        html(f'<div class="re2-muted">{_LEGEND}</div>')
        draw_union(
            drawn,
            Titles(left, right),
            key="compare_slots",
            stamp=stamp,
            tokenization=chosen.project.tokenization,
            weights=weights,
            example=example or _witness(stamp, name, written, back),
            counts=word_counts(chosen.project).counts,
        )
        return
    colours = {slot: palette.colour(slot) for slot in palette.labels}
    st.html(slot_style(colours, _AS_THEY_ARE))
    html(f'<div class="re2-muted">{_LEGEND}</div>')
    for title, system in sides:
        draw_side(title, rule_machine(system, name), colours)


@st.cache_resource(show_spinner=False, max_entries=32)
def _drawn(stamp: str, name: str, _written: SlotSystem, _back: SlotSystem) -> DrawnDifference:
    return drawn_trees(name, dict(_written.trees)[name], dict(_back.trees)[name], tagging=True, sides=_SIDES)


def _weights(chosen: SlotRule, drawn: DrawnDifference) -> Weights | None:
    """Those of the network, where they are asked for."""
    if drawn.difference is None or drawn.left is None or not wants_weights(trained=chosen.side.trained):
        return None
    run, name = chosen.compared.run, chosen.change.name
    tree = dict(chosen.side.system.trees)[name]
    with messages.guard("Reading the weights of the network"):
        return weights_of_tagged_arcs(drawn.difference, drawn.left, tagger_of_run(run), name, tree)
    return None


@st.cache_data(show_spinner=False, max_entries=32)
def _witness(stamp: str, name: str, _written: SlotSystem, _back: SlotSystem) -> str:
    """A sentence that only one side marks so, rather the reconstructed one."""
    found = language_verdict(name, dict(_written.trees)[name], dict(_back.trees)[name], budget=_PAIRS)
    witness = found.only_right or found.only_left
    return "" if witness is None else " ".join(witness.words)


def _systems(chosen: SlotRule) -> list[tuple[str, SlotSystem]]:
    rule, side = chosen.change, chosen.side
    written = f"Written ({side.title})", side.system
    back = "Reconstructed", chosen.compared.reconstructed
    if isinstance(rule, LearnedRule):
        return [back]
    return [written] if rule.kept_original else [written, back]


def draw_side(title: str, view: TagMachineView, colours: Mapping[str, str]) -> None:
    """One transducer: drawn, or as a table, or why there is none."""
    machine = view.transducer
    size = "" if machine is None else f": {counted(len(machine), 'state')}"
    html(f'<div class="re2-head">{escape(title + size)}</div>')
    if machine is None:
        st.caption(messages.plain(view.refusal))
    elif tag_machine_refusal(machine) is not None:
        _draw_table(machine)
    else:
        st.graphviz_chart(tag_machine_dot(machine, colours), alt=f"{title}, with {counted(len(machine), 'state')}")


def _draw_table(machine: Transducer) -> None:
    """The arcs of a machine that nobody could read a drawing of."""
    arcs = list(drawn_arcs(machine))
    st.caption(f"Too large to draw. Its {counted(len(arcs), 'transition')}:")
    columns, config = arc_columns(arcs, machine.finals)
    st.dataframe(pd.DataFrame(columns), column_config=config, hide_index=True, height=_TABLE_HEIGHT)
