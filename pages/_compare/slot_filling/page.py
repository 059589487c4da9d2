"""The body of the page Compare for projects whose texts carry spans."""

from __future__ import annotations

import streamlit as st

from pages._compare.accepting.edit_table import JUMPS
from pages._compare.drawing.union import stamp_of
from pages._compare.language import draw_language
from pages._compare.newest import draw_newest, newest_of
from pages._compare.newest_rules import newest_slot_rules
from pages._compare.reconstructed.slot_filling import Compared, compared
from pages._compare.reconstruction.choose_run import choose_run, draw_nothing_trained
from pages._compare.reconstruction.not_reconstructed import draw_unread
from pages._compare.reconstruction.why import SlotSides, draw_why
from pages._compare.slot_filling.detail import choose_written, draw_rule
from pages._compare.slot_filling.headline import changed_rules, draw_headline
from pages._compare.slot_filling.learned import draw_learned
from pages._compare.slot_filling.moved import draw_moved, moved_by
from pages._compare.slot_filling.rule_list import Entry, choose_rule, is_moved, slots_of_rule
from pages._compare.slot_filling.taking import Taken, draw_accept, draw_texts, measure
from pages._compare.slot_filling.thresholds import draw_thresholds
from pages._compare.slot_filling.transducers import draw_machines
from pages._shared.cached.explaining import slot_explainer_for
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.components.jumps import draw_jumps
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, state_in_words
from re2nn_core.services.rule_difference.language_difference import slot_side
from re2nn_core.services.rule_reconstruction.not_reconstructed import parts_not_reconstructed
from re2nn_core.services.values.stored import ProjectRecord

_STYLE = """
<style>
.re2-step { font-size: .92em; padding: .1rem 0 .1rem .7rem; overflow-wrap: anywhere;
  border-left: 3px solid color-mix(in srgb, currentColor 22%, transparent); }
</style>
"""


_FOUND_ON_TEXTS = "Training changed nothing; the changes below were found on the marked texts themselves."


def draw_slot_comparison(project: ProjectRecord) -> None:
    """Everything below the bar."""
    st.html(_STYLE)
    with messages.guard("Opening the comparison"):
        runs = finished_runs(store(), project.id)
        if not runs:
            draw_nothing_trained()
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            run = choose_run(project, runs)
            head = st.container()
        found = compared(project, run)
        if found is not None:
            with head:
                html(changed_rules(found))
                draw_jumps(JUMPS)
                also = changed_nothing(run) and (found.found.changed or found.found.new_rules)
                if also:
                    html(f'<div class="re2-muted">{_FOUND_ON_TEXTS}</div>')
            if changed_nothing(run) and not also:
                html(f'<div class="re2-warn">{escape(state_in_words(run))}</div>')
            _draw_comparison(project, found)


@st.fragment
def _draw_comparison(project: ProjectRecord, found: Compared) -> None:
    """Figures, then rule by rule; a click on a rule runs this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Comparing the rules"):
        _draw(project, found)


def _draw(project: ProjectRecord, found: Compared) -> None:
    newest = newest_of(project, found.run, found.trained_on)
    now = newest_slot_rules(project, found, newest)
    trial: Taken | None = None
    # On the left what changed, from the figures down to the list; on the right what to do about it.
    left, right = st.columns([12, 10], gap="medium")
    with left:
        draw_headline(found, now)
        unread = [rule.name for rule in found.found.rules if rule.unread]
        draw_unread(parts_not_reconstructed(tagger_of_run(found.run)), unread)
        draw_newest(project, newest)
    with right, st.container(border=True), messages.guard("Measuring the changes"):
        trial = measure(project, found)
        draw_accept(project, found, trial, newest)
    palette = palette_of(project.id, () if trial is None else trial.now.slots)
    with left:
        rule = choose_rule(found, trial, palette)
        _draw_downloads(found)
    with right, st.container(border=True):
        side = choose_written(project, found, rule, newest)
        draw_rule(project, found, rule, side, palette, trial)
    draw_learned(project, found, rule)
    asked = SlotSides(
        newest.titles[0],
        found.original,
        tagger_of_run(found.run),
        found.reconstructed,
        lambda: slot_explainer_for(project, newest.version, found.run),
        now,
    )
    moved = moved_by(project, found, rule, side)
    example = found.records[moved[0].places[0]].text if moved else ""
    draw_why(project, found.run, asked, example or _telling_text(found, rule, trial), palette)
    draw_machines(found, rule, side, palette, project.tokenization, example)
    if is_moved(rule):
        draw_moved(project, found, rule, moved, palette)
    draw_thresholds(project, found, rule, newest, palette)
    if trial is not None:
        draw_texts(found, trial, palette)
    left, right = slot_side(found.original, "the written rules"), slot_side(found.reconstructed, "the rules read back")
    stamp = stamp_of(found.trained_on, found.found.rules_text)
    draw_language(left, right, stamp=stamp, key="compare_slots", titles=("as written", "read back"))


def _telling_text(found: Compared, rule: Entry, trial: Taken | None) -> str:
    """A text that is worth asking about: one that the changes set right, rather with a slot of this rule; else any."""
    won = () if trial is None else trial.effect.won
    moved = [found.records[place] for place in won if place < len(found.records)]
    slots = [f'"{slot}"' for slot in slots_of_rule(found, rule)]
    first = sorted(moved, key=lambda record: not any(slot in (record.label or "") for slot in slots)) or found.records
    return next((record.text for record in first), "")


def _draw_downloads(found: Compared) -> None:
    """The rules that were read back, and their priorities, as files."""
    with st.container(horizontal=True, gap="small"):
        for title, text, name in (
            ("Rules read back", found.found.rules_text, f"run_{found.run.id}_rules.txt"),
            ("Their priorities", found.found.logic_text, f"run_{found.run.id}_logic.toml"),
        ):
            st.download_button(
                title, text, name, "text/plain", key=f"get_{name}", icon=":material/download:", on_click="ignore"
            )
