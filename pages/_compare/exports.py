"""What can be taken along of a comparison: the reconstructed rules with their logic, the review as a page to read, and
what is accepted as a patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.reconstructed.shared import Compared
from pages._compare.review.cards import held_places
from pages._compare.split_names import held_out_split
from pages._shared.components.downloads import download
from pages._shared.components.guide import learn_more
from pages._shared.components.model_files import draw_model_files
from pages._shared.resources import store
from re2nn_core.plots.review.page import review_page
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.fine_tuning.runs import number_of, run_names
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.classification.reviewed_labels import label_material
from re2nn_core.services.rule_review.model_review import rule_files, rule_patch
from re2nn_core.services.rule_review.patterns import LeftOut
from re2nn_core.services.rule_review.review_document import (
    WHOLE,
    ReviewDocument,
    ReviewMaterial,
    review_document,
)
from re2nn_core.services.rule_review.slot_filling.reviewed_slots import slot_material
from re2nn_core.task import Task

_MATERIALS: Mapping[Task, Callable[..., ReviewMaterial]] = {
    Task.CLASSIFICATION: label_material,
    Task.SLOT_FILLING: slot_material,
}


def draw_exports(compared: Compared[Any, Any], trial: AcceptedChanges[Any, Any, Any, Any] | None, logic: str) -> None:
    """A button for each file; `logic` is what that with the logic is called."""
    found, number = compared.found, number_of(store(), compared.run)
    with st.container(horizontal=True, gap="small"):
        for title, text, name in (
            ("Export reconstructed rules", found.rules_text, f"run_{number}_rules.txt"),
            (f"Export {logic}", found.logic_text, f"run_{number}_logic.toml"),
        ):
            download(title, text, name, "text/plain", key=f"get_{name}")
        if trial is not None:
            _draw_review_files(trial, number)
        draw_model_files(compared.run)
        learn_more("review-changes", "How to review changes")


def _draw_review_files(trial: AcceptedChanges[Any, Any, Any, Any], number: int) -> None:
    run = run_names(store(), trial.project.id)[trial.compared.run.id]
    page, patch = f"run_{number}_review.html", f"run_{number}_accepted.patch"
    download("Export review", lambda: review_page(document_of(trial, run)), page, "text/html", key=f"get_{page}")
    download(
        "Export patch",
        lambda: patch_of(trial),
        patch,
        "text/x-diff",
        key=f"get_{patch}",
        why_not=None if trial.accepted.accepted else "No change is accepted yet. Accept a change in the view Review.",
    )


def document_of(trial: AcceptedChanges[Any, Any, Any, Any], run: str) -> ReviewDocument:
    """The review of a run with what the team decided; `run` is what it is called."""
    compared, project = trial.recommended, trial.project
    records = compared.records
    held = held_places(held_out_split(compared.run, records), records)
    material = _MATERIALS[project.task](
        (compared.original, compared.reconstructed),
        compared.found,
        _effects(trial, sorted(held.places)),
        [(record.text, record.split) for record in records],
        (held.split, held.places),
        learned_from_dev=learned_from_dev(compared.run, records),
        repairs=trial.repairs,
    )
    return review_document(
        material,
        title=f"Review of {project.name}",
        subject=run.capitalize(),
        decisions=trial.decisions,
        left_out={
            name: LeftOut(better, held.count(trial.learned.effects[name])) for name, better in trial.leaner.items()
        },
    )


def _effects(trial: AcceptedChanges[Any, Any, Any, Any], held: list[int]) -> Mapping[str, ChangeEffect]:
    """Those of each change alone, without anybody's edits, or of all together where they cannot be told apart."""
    if not trial.how.whole(trial.compared):
        as_learned = {name: effect for name, effect in trial.learned.effects.items() if name not in trial.leaner}
        return {**trial.held_out.effects, **as_learned}
    share, before, now = trial.how.evaluation.share, trial.before, trial.now
    gain = share(now, held) - share(before, held) if held else None
    return {WHOLE: ChangeEffect(before, now, trial.how.evaluation.effect(now, before), gain)}


def patch_of(trial: AcceptedChanges[Any, Any, Any, Any]) -> str:
    """What is accepted, as changes of the newest version."""
    before, after = trial.newest, trial.accepted
    return rule_patch(rule_files(before.rules_text, before.logic_text), rule_files(after.rules_text, after.logic_text))
