"""The rules that nobody has written, one by one: what each does to the answers, and the buttons that accept one of them
or all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._compare.accepting.evaluation import LABELS
from pages._compare.accepting.gains import signed
from pages._compare.accepting.saving import Saving, ask_reason, save_on_click
from pages._compare.accepting.training_analysis import tell_waiting
from pages._compare.drawing.words import rule_html
from pages._compare.reconstructed.shared import LabelComparison
from pages._rules.analysis import bench
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html, section
from pages._shared.drawing.tables import label_column
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, pieces_of
from re2nn_core.services.rule_review.classification.offered_rules import OfferedRule, all_together, offered_rules
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.counting import counted

_MOST_ROWS, _LONGEST = 7, 76


@st.fragment
def draw_new_rules(project: ProjectRecord, compared: LabelComparison, palette: Palette) -> None:
    """The table of new rules and, of the chosen one, what it does and the buttons; a click runs this part alone."""
    new = compared.found.new_rules
    if not new:
        return
    with messages.guard("Measuring the new rules"), st.container(border=True):
        section("New rules, one by one")
        html(
            '<div class="re2-muted">Phrases of your training texts that set answers right. Each goes into the section '
            "of its label and answers first: a text that it accepts gets its label, whatever other rules say. The "
            "label logic says so under <code>first</code>.</div>"
        )
        tell_waiting(project)
        newest = latest_version(store(), project.id)
        before = LABELS.of(project, newest)
        texts = newest.rules_text, newest.logic_text, compared.found.rules_text
        key = store().url, project.id, project.updated_at, *texts
        offered = _measured(key, lambda: _measure(project, compared, before))
        if not offered:
            html('<div class="re2-muted">All of them are in the newest rules.</div>')
            return
        shown = _Shown(project, compared, newest, before, palette)
        shown.draw_one(shown.choose(offered))
        if len(offered) > 1:
            together = _together(key, lambda: all_together(compared.found.rules_text, offered, before))
            shown.draw_all(len(offered), together)


def _measure(project: ProjectRecord, compared: LabelComparison, before: Analysis) -> tuple[OfferedRule, ...]:
    found, records = compared.found, compared.records
    labels, splits = [record.label for record in records], [record.split for record in records]
    return offered_rules(found.rules_text, found.new_rules, before, bench(project), labels, splits)


@st.cache_resource(show_spinner="Measuring the new rules", max_entries=8)
def _measured(key: object, _measure: Callable[[], tuple[OfferedRule, ...]]) -> tuple[OfferedRule, ...]:
    return _measure()


@st.cache_resource(show_spinner=False, max_entries=8)
def _together(key: object, _accept: Callable[[], Acceptance]) -> Acceptance:
    return _accept()


def _in_short(rule: str) -> str:
    """A rule as its column can show it, cut between two alternatives; the chosen one stands below in full."""
    return rule if len(rule) <= _LONGEST else f"{rule[:_LONGEST].rpartition(' | ')[0]} | …"


@dataclass(frozen=True)
class _Shown:
    """What all parts of the drawing need."""

    project: ProjectRecord
    compared: LabelComparison
    newest: RuleVersion
    before: Analysis
    palette: Palette

    def choose(self, offered: Sequence[OfferedRule]) -> OfferedRule:
        row = walk_rows(
            {
                "name": [one.name for one in offered],
                "label": [[one.label] for one in offered],
                "rule": [_in_short(one.text) for one in offered],
                "hits": [f"{one.hits:,}" for one in offered],
                "right": [signed(one.right) for one in offered],
            },
            key=f"compare_new_rules_{self.compared.run.id}",
            config={
                "name": st.column_config.TextColumn("New rule", width=150),
                "label": label_column("Label", self.palette, self.palette.labels, width=150),
                "rule": st.column_config.TextColumn("Accepts", width=480),
                "hits": st.column_config.TextColumn("Texts", width=60, alignment="right"),
                "right": st.column_config.TextColumn(
                    "Right",
                    width=60,
                    alignment="right",
                    help="Labelled train and dev texts put right beside the newest rules, less those spoiled",
                ),
            },
            height=height_of(len(offered), _MOST_ROWS),
            first=True,
        )
        return offered[row or 0]

    def draw_one(self, one: OfferedRule) -> None:
        chips = f"<b>{escape(one.name)}</b> {self.palette.chip(one.label)}"
        html(f'<div class="re2-state">{chips} <span class="re2-muted">accepts {counted(one.hits, "text")}</span></div>')
        html(rule_html(pieces_of(self.compared.reconstructed.ruleset, one.name), "new"))
        reason = self._reason(one.now, f"new rule {one.name}", one.name)
        button = Saving(f"Put {one.name} into rules v{self.newest.number + 1}", "compare_new")
        with st.container(horizontal=True, vertical_alignment="center"):
            save_on_click(self.project, self.newest, one.accepted, reason, button)
        LABELS.draw_texts(one.now, self.before, self.compared.records, self.palette, self.newest.number, "this rule")

    def draw_all(self, count: int, together: Acceptance) -> None:
        html(f'<div class="re2-head">All {count} together</div>')
        reason = self._reason(LABELS.of(self.project, together), f"{count} new rules", "all")
        title = f"Take over all {count} new rules as rules v{self.newest.number + 1}"
        save_on_click(self.project, self.newest, together, reason, Saving(title, "compare_new_all"))

    def _reason(self, now: Analysis, what: str, which: str) -> str:
        """The figures with the rules, and why they are accepted."""
        run = self.compared.run
        LABELS.draw_figures(self.before, now, run, self.compared.records)
        key = f"compare_new_reason_{run.id}_{self.newest.number}_{which}"
        return ask_reason(f"{what} (learned by run {number_of(store(), run)})", key)
