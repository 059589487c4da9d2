"""The rules that nobody has written, one by one: what each does to the answers, and the buttons that accept one of them
or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages._compare.accepting.evaluation import LABELS
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
from pages._shared.session.fragments import fragment
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.reconstruction import NewRule
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, rule_pieces_of
from re2nn_core.services.rule_review.classification.offered_rules import OfferedRule, all_together, offered_rules
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord
from re2nn_core.text.counting import counted

_MOST_ROWS, _LONGEST = 7, 76


@fragment()
def draw_new_rules(project: ProjectRecord, compared: LabelComparison, palette: Palette) -> None:
    """The table of new rules and, of the chosen one, what it does and the buttons; a click runs this part alone."""
    new = compared.found.new_rules
    if not new:
        return
    with messages.guard("Measuring the new rules"), st.container(border=True):
        section("New rules, one by one")
        html(
            '<div class="re2-muted">Phrases of your training texts that fix predictions. They come first in '
            "the label logic: a text that one of them matches gets its label.</div>"
        )
        tell_waiting(project)
        newest = latest_version(store(), project.id)
        before = LABELS.of(project, newest)
        offered = _offered(project, newest, compared)
        if not offered:
            html('<div class="re2-muted">All of them are in the newest rules.</div>')
            return
        _Offered(project, compared, newest, before, palette).draw(offered)


def _offered(project: ProjectRecord, newest: RuleVersion, compared: LabelComparison) -> tuple[OfferedRule, ...]:
    found = compared.found
    key = _key(project, newest, compared)
    return _measured(key, found.rules_text, found.new_rules, newest, project, compared.records)


def _key(project: ProjectRecord, newest: RuleVersion, compared: LabelComparison) -> tuple[object, ...]:
    texts = newest.rules_text, newest.logic_text, compared.found.rules_text
    return store().url, project.id, project.updated_at, *texts


@st.cache_resource(show_spinner=False, max_entries=8)
def _together(
    key: object, _compared: LabelComparison, _offered: Sequence[OfferedRule], _before: Analysis
) -> Acceptance:
    return all_together(_compared.found.rules_text, _offered, _before)


@st.cache_resource(show_spinner="Measuring the new rules", max_entries=8)
def _measured(
    key: object,
    found_rules: str,
    _new: Sequence[NewRule],
    _newest: RuleVersion,
    _project: ProjectRecord,
    _records: Sequence[TextRecord],
) -> tuple[OfferedRule, ...]:
    before = LABELS.of(_project, _newest)
    labels, splits = [record.label for record in _records], [record.split for record in _records]
    return offered_rules(found_rules, _new, before, bench(_project), labels, splits)


def _in_short(rule: str) -> str:
    """A rule as its column can show it, cut between two alternatives; the chosen one stands below in full."""
    return rule if len(rule) <= _LONGEST else f"{rule[:_LONGEST].rpartition(' | ')[0]} | …"


@dataclass(frozen=True)
class _Offered:
    """What all parts of the drawing need."""

    project: ProjectRecord
    compared: LabelComparison
    newest: RuleVersion
    before: Analysis
    palette: Palette

    def draw(self, offered: Sequence[OfferedRule]) -> None:
        one = offered[self._choose(offered)]
        chips = f"<b>{escape(one.name)}</b> {self.palette.chip(one.label)}"
        html(f'<div class="re2-state">{chips} <span class="re2-muted">matches {counted(one.hits, "text")}</span></div>')
        html(rule_html(rule_pieces_of(self.compared.reconstructed.ruleset, one.name), "new"))
        LABELS.draw_figures(self.before, one.now, self.compared.run, self.compared.records)
        number = self.newest.number + 1
        reason = self._reason(f"new rule {one.name} (learned by run {self._run})", one.name)
        with st.container(horizontal=True, vertical_alignment="center"):
            self._save(one.accepted, reason, f"Add {one.name} as rules v{number}", "compare_new")
        LABELS.draw_texts(one.now, self.before, self.compared.records, self.palette, self.newest.number, "this rule")
        if len(offered) > 1:
            self._draw_all(offered)

    @property
    def _run(self) -> int:
        return number_of(store(), self.compared.run)

    def _choose(self, offered: Sequence[OfferedRule]) -> int:
        row = walk_rows(
            {
                "name": [one.name for one in offered],
                "label": [[one.label] for one in offered],
                "rule": [_in_short(one.text) for one in offered],
                "hits": [f"{one.hits:,}" for one in offered],
                "right": [f"{one.right:+,}" if one.right else "0" for one in offered],
            },
            key=f"compare_new_rules_{self.compared.run.id}",
            config={
                "name": st.column_config.TextColumn("New rule", width=150),
                "label": label_column("Label", self.palette, self.palette.labels, width=150),
                "rule": st.column_config.TextColumn("Matches", width=480),
                "hits": st.column_config.TextColumn("Texts", width=60, alignment="right"),
                "right": st.column_config.TextColumn(
                    "Net fixed",
                    width=60,
                    alignment="right",
                    help="Labelled train and dev texts fixed in addition to the newest rules, minus those broken",
                ),
            },
            height=height_of(len(offered), _MOST_ROWS),
            first=True,
        )
        return row or 0

    def _draw_all(self, offered: Sequence[OfferedRule]) -> None:
        count = len(offered)
        html(f'<div class="re2-head">All {count} together</div>')
        together = _together(_key(self.project, self.newest, self.compared), self.compared, offered, self.before)
        now = LABELS.of(self.project, together)
        LABELS.draw_figures(self.before, now, self.compared.run, self.compared.records)
        reason = self._reason(f"{count} new rules (learned by run {self._run})", "all")
        title = f"Accept all {count} new rules as rules v{self.newest.number + 1}"
        self._save(together, reason, title, "compare_new_all")

    def _reason(self, given: str, which: str) -> str:
        return ask_reason(given, f"compare_new_reason_{self.compared.run.id}_{self.newest.number}_{which}")

    def _save(self, accepted: Acceptance, reason: str, title: str, key: str) -> None:
        save_on_click(self.project, self.newest, accepted, reason, Saving(title, key))
