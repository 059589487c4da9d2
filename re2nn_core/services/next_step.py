"""What to do next in a project, from how far it is: one step, with a short title and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from re2nn_core.rules.source import logical_lines
from re2nn_core.services.fine_tuning.dev_figures import rules_miss_nothing
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, run_numbers
from re2nn_core.services.rule_review.classification.stored_reconstruction import stored_reconstruction
from re2nn_core.services.rule_review.decisions import decided_since
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import stored_slot_reconstruction
from re2nn_core.services.rule_review.stored_reconstruction import StoredReconstruction
from re2nn_core.services.team.annotations import team_annotations_of
from re2nn_core.store import (
    UNFINISHED,
    ProjectRecord,
    RunRecord,
    Store,
    count_texts,
    label_counts,
    latest_version,
    list_runs,
    list_versions,
)
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

Page = Literal["projects", "rules", "label", "train", "compare", "team"]
FEW = 20  # annotated texts from which training is worth a try


@dataclass(frozen=True)
class ProjectFacts:
    """How far a project is.

    texts, labelled    texts, and those with a label or spans
    rules              whether it has a rule
    version            the number of the newest rules
    waiting            texts that wait for a reviewer: flagged, or annotated differently
    running            whether a training is under way
    run, run_version   the newest finished training, and the rules that it was trained from; None without one
    nothing_gained     whether no epoch of that training was better on held-out texts than the rules
    nothing_missed     whether the rules of that training predict every measured text correctly
    open_changes       changes of that training that nobody has decided about; None before they were looked for
    single_label       the label of all annotated texts, from which nothing can be trained; empty where there are others
    reviews            whether the person may decide and train
    """

    texts: int
    labelled: int
    rules: bool
    version: int
    waiting: int = 0
    running: bool = False
    run: int | None = None
    run_version: int | None = None
    open_changes: int | None = None
    nothing_gained: bool = False
    nothing_missed: bool = False
    single_label: str = ""
    reviews: bool = True


@dataclass(frozen=True)
class NextStep:
    """Where to go, what for in a few words (`train rules v2`), and in a sentence."""

    page: Page
    title: str
    sentence: str


def next_step(facts: ProjectFacts) -> NextStep | None:
    """The step that comes next; None where nothing waits."""
    return _first_steps(facts) or (_of_reviewer(facts) if facts.reviews else _of_annotator(facts))


def _first_steps(facts: ProjectFacts) -> NextStep | None:
    if not facts.texts:
        return NextStep("projects", "add texts", "This project has no texts yet. Add some.")
    if not facts.rules and facts.reviews:
        return NextStep("rules", "write a rule", "This project has no rules yet. Write the first one.")
    return None


def _of_annotator(facts: ProjectFacts) -> NextStep | None:
    left = facts.texts - facts.labelled
    return None if not left else NextStep("label", "annotate texts", f"{counted(left, 'text')} not annotated yet.")


def _of_reviewer(facts: ProjectFacts) -> NextStep | None:
    if facts.running:
        return NextStep("train", "watch the training", "A training is running.")
    saved_since = facts.run_version is not None and facts.run_version < facts.version
    to_see = facts.open_changes != 0 if not facts.nothing_gained else bool(facts.open_changes)
    if facts.run is not None and not saved_since and to_see:
        left = "" if facts.open_changes is None else f" {counted(facts.open_changes, 'change')} without a decision."
        sentence = f"Run {facts.run} is finished.{left} Compare what it learned with your rules."
        return NextStep("compare", "see what training changed", sentence)
    if facts.waiting:
        count = counted(facts.waiting, "text")
        return NextStep("team", f"decide {count}", f"{count} flagged, or annotated differently. Decide them.")
    if facts.labelled < min(FEW, facts.texts):
        sentence = f"{facts.labelled:,} of {counted(facts.texts, 'text')} annotated. Training needs about {FEW}."
        return NextStep("label", "annotate texts", sentence)
    if facts.single_label:
        return _second_label(facts)
    if facts.run is None or saved_since:
        since = "The rules were not trained yet" if facts.run is None else "The rules have changed since the training"
        return NextStep("train", f"train rules v{facts.version}", f"{since}. Train their network.")
    return _after_nothing(facts) if facts.nothing_gained else None


def _second_label(facts: ProjectFacts) -> NextStep:
    """What helps where all annotated texts have the same label."""
    same = f"All {counted(facts.labelled, 'annotated text')} have the label {facts.single_label}."
    if facts.labelled < facts.texts:
        return NextStep("label", "annotate another label", f"{same} Training needs two labels. Annotate another one.")
    return NextStep("projects", "add texts", f"{same} Training needs two labels. Add texts of another one.")


def _after_nothing(facts: ProjectFacts) -> NextStep:
    """What helps where a training found nothing better than the rules."""
    nothing = f"No epoch of run {facts.run} was better on held-out texts than the rules."
    left = facts.texts - facts.labelled
    if left:
        return NextStep("label", "annotate more texts", f"{nothing} Annotate more of the {left:,} texts that are left.")
    if facts.nothing_missed:
        return NextStep("projects", "add texts", f"{nothing} They predict all of these texts correctly. Add new texts.")
    return NextStep("rules", "write rules for missed texts", f"{nothing} Write rules for the texts that they miss.")


def project_facts(store: Store, project: ProjectRecord, *, reviews: bool) -> ProjectFacts:
    """How far a project is. NotFoundError for one that is gone."""
    newest = latest_version(store, project.id)
    runs = finished_runs(store, project.id)
    run = runs[0] if runs else None
    labels = tuple(label_counts(store, project.id)) if project.task is Task.CLASSIFICATION else ()
    versions = {version.id: version.number for version in list_versions(store, project.id)}
    return ProjectFacts(
        texts=count_texts(store, project.id),
        labelled=count_texts(store, project.id, labelled=True),
        rules=_has_rules(newest.rules_text),
        version=newest.number,
        waiting=len(team_annotations_of(store, project.id).waiting) if reviews else 0,
        running=any(one.state in UNFINISHED for one in list_runs(store, project.id, "train")),
        run=None if run is None else run_numbers(store, project.id)[run.id],
        run_version=None if run is None or run.rule_version_id is None else versions.get(run.rule_version_id),
        nothing_gained=run is not None and changed_nothing(run),
        nothing_missed=run is not None and rules_miss_nothing(run.result or {}),
        single_label=labels[0] if len(labels) == 1 else "",
        open_changes=None if run is None else _open_changes(store, project, run),
        reviews=reviews,
    )


def _has_rules(text: str) -> bool:
    """Whether a rule is written, with errors or without."""
    lines = (line.text.strip() for line in logical_lines(text))
    return any(line and not line.startswith(("[", "@", "//")) for line in lines)


_STORED: Mapping[Task, Callable[[Path], StoredReconstruction[Any] | None]] = {
    Task.CLASSIFICATION: stored_reconstruction,
    Task.SLOT_FILLING: stored_slot_reconstruction,
}


def _open_changes(store: Store, project: ProjectRecord, run: RunRecord) -> int | None:
    """The changed and new rules of a run about which nobody has decided since it ended; None before they were looked
    for."""
    kept = _STORED[project.task](run.folder)
    if kept is None:
        return None
    found = kept.reconstruction
    changed = {rule.name for rule in (*found.rules, *found.new_rules) if not getattr(rule, "kept_original", False)}
    return len(changed - decided_since(store, project.id, run.finished_at))
