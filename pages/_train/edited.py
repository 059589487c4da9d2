"""A run that was made by editing another one: what was done, whether all else stayed, and the way back."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.drawing.markup import difference, escape, figures, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._train.live import CHOSEN, draw_files, draw_next
from re2nn_core.services.fine_tuning.edited_runs import former_runs
from re2nn_core.services.fine_tuning.run_edits import RunEdit, edit_of
from re2nn_core.services.fine_tuning.runs import run_numbers
from re2nn_core.services.fine_tuning.stored_runs import get_run
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.values.stored import RunRecord
from re2nn_core.text.counting import counted


def draw_edited(run: RunRecord, edit: RunEdit) -> None:
    """The run's panel."""
    with messages.guard("Checking the edit"):
        numbers = run_numbers(store(), run.project_id)
        former = former_runs(store(), run)
        html(
            f'<div class="re2-state"><b>✓ Run {numbers[run.id]}</b> is run {numbers[edit.former]} with edits, '
            "without training.</div>"
        )
        draw_next(run)
        _chain(run, former, numbers)
        draw_outcome(run, edit, key="train_undo")
        draw_files(run)


def draw_outcome(run: RunRecord, edit: RunEdit, *, key: str) -> None:
    """What the edit did to the predictions, the check of the other rules, and the way back."""
    numbers = run_numbers(store(), run.project_id)
    number, before = numbers[run.id], numbers[edit.former]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        asked = st.button(
            "Undo this edit",
            key=key,
            icon=":material/undo:",
            help=f"Returns to run {before}, which is unchanged. Run {number} stays in the list.",
        )
        html(figures(_figures(edit)))
    kind = "re2-good" if edit.same_weights else "re2-warn"
    html(f'<div class="{kind}">{"✓ " if edit.same_weights else ""}{escape(edit.untouched_in_words)}</div>')
    if edit.restarted:
        labels = ", ".join(edit.restarted)
        html(
            f'<div class="re2-warn">The edit removed what training had changed in the logic of {escape(labels)}.</div>'
        )
    if asked:
        look_at(run, get_run(store(), edit.former))
        messages.remember(f"Returned to run {before}. Run {number} stays in the list.", ":material/undo:")
        st.rerun()


def look_at(left: RunRecord, chosen: RunRecord) -> None:
    """Look at another run; where the one that is left predicts on the other pages, the chosen one does from now on."""
    st.session_state[CHOSEN] = chosen.id
    if state.current_model(get_project(store(), left.project_id)).key == f"run:{left.id}":
        state.choose_model(f"run:{chosen.id}")


def _figures(edit: RunEdit) -> list[tuple[str, str, str]]:
    shown = [(f"{edit.changed:,}", f"of {counted(edit.texts, 'text')} predicted differently", "")]
    if edit.accuracies is None:
        return shown
    before, after = edit.accuracies
    gain = difference(after - before, percent=True)
    return [(f"{before:.1%} → {after:.1%}", edit.measured_on, gain), *shown]


def _chain(run: RunRecord, former: tuple[RunRecord, ...], numbers: dict[int, int]) -> None:
    """The edits from the trained run on, one a line."""
    steps = []
    for made, source in zip((run, *former), former, strict=False):
        edit = edit_of(made)
        if edit is not None:
            steps.append(f"<b>Run {numbers[made.id]}</b> edited from run {numbers[source.id]}: {escape(edit.words)}")
    trained = f"<b>Run {numbers[former[-1].id]}</b> trained"
    html('<div class="re2-chain">' + "<br>".join([trained, *reversed(steps)]) + "</div>")
