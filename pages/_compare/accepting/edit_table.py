"""What training taught a rule as a table of edits, and what is asked before one is accepted: for labels and slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved
from pages._compare.accepting.gains import gain_in_words, signed
from pages._compare.accepting.saving import Saving, ask_reason, save_on_click
from pages._compare.accepting.training_analysis import report_waiting
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.reconstructed.shared import Comparison
from pages._compare.split_names import held_out_split
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.components.jumps import landing
from pages._shared.drawing.markup import escape, html, section
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, word_change
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import rule_difference
from re2nn_core.services.rule_review.classification.learned_edits import OfferedEdit, Offers, accept_edit
from re2nn_core.services.values.rules import RuleSet, read_rules
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.text.counting import counted

EDITS, ACCEPT = "compare_edits", "compare_accept"  # what holds the table and all below it; the button
JUMPS = {"e": (EDITS,), "a": (ACCEPT, "compare_new")}  # letters of the page, and where they lead
_MOST_ROWS = 7
_WIDE = {False: 150, True: 188}  # of a column whose head names figure and texts, in pixels
_ABOUT = "Choose an edit to see its effect, then accept it below. Each edit is checked on the "
_PROVED = {
    False: f"{_ABOUT}automata: the reconstructed rule matches everything that the edit adds and nothing that it "
    "removes.",
    True: f"{_ABOUT}transducers: the reconstructed rule captures exactly the words that the edit adds, and none that "
    "it removes.",
}
_HELD = "Gain on texts that were not used for training: dev if possible, else test. Edits are ordered by it"
_PARTS = "An edit of several words contains the edits of its single words, which can be accepted one by one instead"
_NO_GAIN = "No gain on held-out texts: it helps texts that were used for training alone, which it may only remember."


@st.cache_resource(show_spinner="Searching for edits", max_entries=64)
def _found(key: object, _find: Callable[[], Offers]) -> Offers:
    return _find()


def draw_learned_edits(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    compared: Comparison,
    name: str,
    find: Callable[[Analysed, RuleSet], Offers],
    key: str,
) -> None:
    """The table of the edits of a rule, found once by `find` in the newest rules and in the reconstructed ones; of the
    chosen edit the rule after it, what it does, and the button."""
    newest, run, slots = latest_version(store(), project.id), compared.run, evaluation.of_spans
    before, learned = evaluation.of(project, newest), compared.found.rules_text
    lowercase = project.tokenization.lowercase
    known = store().url, project.id, project.updated_at, newest.rules_text, newest.logic_text, learned, name
    offers = _found(known, lambda: find(before, read_rules(learned, lowercase=lowercase).ruleset))
    held = held_out_split(run, compared.records) or ""
    edit = _choose_edit(offers, f"{key}_{run.id}_{name}", held, slots=slots)
    if edit is None:
        return
    report_waiting(project)
    accepted = accept_edit(edit, rules_text=newest.rules_text, logic_text=newest.logic_text, lowercase=lowercase)
    rules = [read_rules(text, lowercase=lowercase).ruleset for text in (newest.rules_text, accepted.rules_text)]
    words = (rule_difference if slots else word_change)(*rules, edit.rule)
    gains = {one.words[0]: one.right for one in offers.edits if len(one.words) == 1 and one.place == edit.place}
    html(rule_html(words.after, "new", gains))
    if words.removed:
        html(word_list("Words removed", words.removed, "gone"))
    html(f"<div>This edit alone: {escape(gain_in_words(edit.right, slots=slots))}.</div>")
    evaluation.draw_figures(before, evaluation.of(project, accepted), run, compared.records, where_test_alone=True)
    _accept_on_click(project, run, newest, edit, accepted, slots=slots)


def _choose_edit(offers: Offers, key: str, held: str, *, slots: bool) -> OfferedEdit | None:
    """The edit that is chosen in the table, at first the best one; None where there is none."""
    section("Learned edits, one by one", _PROVED[slots])
    edits = [*offers.edits, *_without_effect(offers, key)]
    if not edits:
        html(landing(_nothing(offers), "re2-muted"))
        return None
    columns, config = _columns(edits, held, slots=slots)
    row = walk_rows(columns, key=key, config=config, height=height_of(len(edits), _MOST_ROWS), first=True)
    if offers.more:
        html(f'<div class="re2-muted">and {offers.more:,} more with less effect or none on these texts</div>')
    return edits[row or 0]


def _without_effect(offers: Offers, key: str) -> Sequence[OfferedEdit]:
    """The edits that change no prediction here: behind the others and on demand; at once where there are no others."""
    count = len(offers.without_effect)
    if not count:
        return ()
    if not offers.edits:
        html(f'<div class="re2-muted">{_ALL_WITHOUT_EFFECT[count == 1]}</div>')
        return offers.without_effect
    message = f"Show {counted(count, 'edit')} that {'changes' if count == 1 else 'change'} no prediction on these texts"
    return offers.without_effect if st.toggle(message, key=f"{key}_idle", persist_state="session") else ()


_ALL_WITHOUT_EFFECT = {
    True: "The edit changes no prediction by itself.",
    False: "None of the edits changes a prediction by itself. By rule shows what they do together.",
}


def _columns(edits: Sequence[OfferedEdit], held: str, *, slots: bool) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The columns of the table and how they are shown; `held`: the split that was not used for training."""
    right = (
        "Reduction of errors in annotated train and dev texts by this edit alone, in the newest rules. The "
        "edits of a rule need not add up to the gain of the rule, which was counted after all earlier changes"
        if slots
        else "Labelled train and dev texts fixed, minus those broken"
    )
    more, less = (
        ("Texts with fewer errors", "Texts with more errors")
        if slots
        else ("Texts matched in addition", "Texts no longer matched")
    )
    gain = "Fewer errors" if slots else "Fixed − broken"
    came, went = ("Texts better", "Texts worse") if slots else ("Matches added", "Matches lost")
    columns: dict[str, list[Any]] = {
        "edit": [edit.in_short for edit in edits],
        "right": [signed(edit.right) for edit in edits],
        **({"held": [signed(edit.held_out or 0) for edit in edits]} if edits[0].held_out is not None else {}),
        "won": [f"{len(edit.won):,}" for edit in edits],
        "lost": [f"{len(edit.lost):,}" for edit in edits],
    }
    if any(parts := parts_in_words(edits)):
        columns = {"edit": columns.pop("edit"), "parts": parts, **columns}
    config = {
        "edit": st.column_config.TextColumn("Edit", width=330),
        "parts": st.column_config.TextColumn("Overlap", width=130, help=_PARTS),
        "right": st.column_config.TextColumn(
            f"{gain} (train + dev)", width=_WIDE[slots], alignment="right", help=right
        ),
        "held": st.column_config.TextColumn(f"{gain} ({held})", width=_WIDE[slots], alignment="right", help=_HELD),
        "won": st.column_config.TextColumn(came, width=108, alignment="right", help=more),
        "lost": st.column_config.TextColumn(went, width=100, alignment="right", help=less),
    }
    return columns, config


def parts_in_words(edits: Sequence[OfferedEdit]) -> list[str]:
    """Of an edit of several words which edits of the list it contains, and of these that they are part of it."""
    reported = [""] * len(edits)
    for place, whole in enumerate(edits):
        parts = [at for at, edit in enumerate(edits) if at != place and _contains(whole, edit)]
        if parts:
            message = counted(len(parts), "edit")
            reported[place] = f"contains {message}{' below' if min(parts) > place else ''}"
        for at in parts:
            whole_is = "first edit" if place == 0 else "an edit above" if place < at else "an edit below"
            reported[at] = reported[at] or f"part of {whole_is}"
    return reported


def _contains(whole: OfferedEdit, edit: OfferedEdit) -> bool:
    """Whether an edit does all that another one does, and more of the same."""
    same = (whole.kind, whole.place, whole.rule) == (edit.kind, edit.place, edit.rule)
    return same and set(edit.words) < set(whole.words)


def _nothing(offers: Offers) -> str:
    if offers.undecided:
        return "The automata are too large to check single edits. Accept the whole change, or leave it out."
    return (
        "No single edit is left: the change is in the newest rules already, or can only be accepted as a whole. "
        "By rule drops words of it."
    )


def _accept_on_click(
    project: ProjectRecord,
    run: RunRecord,
    newest: RuleVersion,
    edit: OfferedEdit,
    accepted: Acceptance,
    *,
    slots: bool,
) -> None:
    """The reason, what is to be thought of before, and the button that makes the edit a new version."""
    html(_caution(edit) + '<div class="re2-muted">You can accept the other edits of this rule afterwards.</div>')
    given = f"{edit.rule}: {edit.in_words} (learned by run {number_of(store(), run)})"
    reason = ask_reason(given, f"compare_reason_{run.id}_{edit.rule}_{edit.in_words}")
    title = {
        "gains": "Accept edit as rules v{}",
        "even": "Accept edit as rules v{}",
        "loses": "Accept edit as rules v{} despite losses",
        "nothing": "Accept edit as rules v{} without effect here",
    }[edit.verdict].format(newest.number + 1)
    button = Saving(
        title, ACCEPT, primary=edit.verdict == "gains" and (edit.held_out or 0) > 0, shortcut="A", then=EDITS
    )
    save_on_click(project, newest, accepted, reason, button)


def _caution(edit: OfferedEdit) -> str:
    """What speaks against an edit that gains nothing, as HTML."""
    if edit.verdict == "loses":
        lost = f", by {-edit.held_out:,} on held-out texts" if (edit.held_out or 0) < 0 else ""
        return f'<div class="re2-warn">This edit breaks more texts than it fixes{lost}.</div>'
    if edit.verdict == "even":
        message = f"This edit changes {counted(edit.predictions, 'prediction')}; as many are correct as before."
    elif edit.verdict == "nothing":
        message = "This edit changes no prediction on these texts, so there is no evidence for or against it."
    elif edit.held_out is not None and edit.held_out <= 0:
        message = _NO_GAIN
    else:
        return ""
    return f'<div class="re2-muted">{message}</div>'
