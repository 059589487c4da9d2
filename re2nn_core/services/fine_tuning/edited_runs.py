"""A project's trained models edited without training: each edit is a run of its own, the one it was made from stays."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from re2nn_core.errors import InputError, ModelError
from re2nn_core.files import error_in_words
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.services.fine_tuning.classification.edited_models import load_model, save_model
from re2nn_core.services.fine_tuning.classification.rule_patching import (
    EditCheck,
    EditedModel,
    Edits,
    check_edit,
    with_edits,
)
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.fine_tuning.run_edits import RunEdit, as_result, edit_of
from re2nn_core.services.fine_tuning.run_material import copy_material, result_of
from re2nn_core.services.fine_tuning.runs import KIND
from re2nn_core.services.fine_tuning.training_plan import Split, split_examples
from re2nn_core.services.prediction.classification.evaluation import accuracy
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.team.people import require_role
from re2nn_core.store import RunRecord, Store, TextRecord, add_finished_run, get_run, new_folder_name
from re2nn_core.text.corpus import Corpus, Example


def edited_model_of(run: RunRecord) -> EditedModel:
    """The network of a finished run with its edits. ModelError where it cannot be read."""
    try:
        return load_model(run.folder)
    except ModelError as fault:
        raise ModelError(
            f"The network of run {run.id} is missing or damaged, or another version of this program wrote it.\n"
            "Train it again on the page Fine-tune, or choose another run."
        ) from fault


def former_runs(store: Store, run: RunRecord) -> tuple[RunRecord, ...]:
    """The runs that an edited one was made from, the last one in front, the trained one at the end."""
    found: list[RunRecord] = []
    while (edit := edit_of(run)) is not None:
        run = get_run(store, edit.former)
        found.append(run)
    return tuple(found)


def edit_run(
    store: Store,
    run: RunRecord,
    before: EditedModel,
    edits: Edits,
    records: Sequence[TextRecord],
    *,
    person: str,
) -> RunRecord:
    """A new run with the network of `run` (its model is `before`) under these edits, checked on the project's texts.

    RuleError and LogicError for faults of added rules; InputError where nothing changes, where a label would always be
    true, or where the network's form cannot be edited. Nothing is left behind where it fails."""
    require_role(store, person, "reviewer", "edit a trained network")
    if edits == before.edits:
        raise InputError("Nothing has been changed.\nSwitch a rule off or on, or write a new one.")
    after = with_edits(before.origin, edits)
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    result = _result(run, before, after, corpus)
    name = new_folder_name(KIND)
    folder = store.models_folder / name
    _save(folder, after)
    copy_material(run.folder, folder)
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        new = add_finished_run(
            store,
            run.project_id,
            KIND,
            folder=name,
            rule_version_id=run.rule_version_id,
            config=run.config,
            result=result,
            person=person,
        )
        undo.pop_all()
    return new


def _save(folder: Path, model: EditedModel) -> None:
    try:
        save_model(folder, model)
    except OSError as fault:
        raise InputError(
            f"The edited model could not be written: {error_in_words(fault, folder)}\nNothing has changed."
        ) from fault


def _result(run: RunRecord, before: EditedModel, after: EditedModel, corpus: Corpus) -> dict[str, Any]:
    """What is kept of the new run: figures as a training has them, and the check.

    Where the network has learned from dev there is no `dev` and no `accuracy`: those of the trained run are
    cross-validated, and one measured on texts it has learned from would stand above them. The rules have learned
    nothing, so theirs is of the same texts as the trained run's."""
    check = check_edit(before, after, corpus.texts)
    split = split_examples(corpus)
    learned = learned_from_dev(run, corpus)
    edit = _edit(run, check, after, **_figures(before, after, split, learned=learned), learned=learned)
    dev = None if learned else edit.dev_after
    held_out = (*split.train, *split.dev) if learned else split.dev
    trained = run.result or {}
    return {
        **{key: trained[key] for key in ("vectors", "train_size") if key in trained},
        **result_of(run),
        "turns": learned,
        "zero_shot": {
            "dev": _rules_accuracy(after.bundle, held_out),
            "test": _rules_accuracy(after.bundle, split.test),
        },
        "dev": dev,
        "test": _accuracy(after.bundle, split.test),
        "accuracy": dev,
        **as_result(edit),
    }


def _figures(before: EditedModel, after: EditedModel, split: Split, *, learned: bool) -> dict[str, Any]:
    """The part of a `RunEdit` that says what the edit did to the accuracy: on test texts, or on dev texts."""
    name, texts = ("test", split.test) if learned and split.test else ("dev", split.dev)
    none = {"dev_texts": 0, "dev_before": None, "dev_after": None}
    was, now = _accuracy(before.bundle, texts), _accuracy(after.bundle, texts)
    return {**none, f"{name}_texts": len(texts), f"{name}_before": was, f"{name}_after": now}


def _edit(run: RunRecord, check: EditCheck, after: EditedModel, **figures: Any) -> RunEdit:
    return RunEdit(
        former=run.id,
        added=check.added,
        disabled=check.disabled,
        enabled=check.enabled,
        off=after.edits.disabled,
        untouched=len(check.untouched),
        same_weights=check.same_weights,
        max_difference=check.max_difference,
        bit_equal=check.bit_equal,
        restarted=check.restarted,
        texts=len(check.predictions_before),
        changed=len(check.changed_predictions),
        **figures,
    )


def _accuracy(bundle: Bundle, examples: Sequence[Example]) -> float | None:
    predictions = predict(bundle, [example.text for example in examples]).predictions
    return accuracy([example.label for example in examples], predictions)


def _rules_accuracy(bundle: Bundle, examples: Sequence[Example]) -> float | None:
    """Of the rules as written, without what the network has learned."""
    system = RuleSystem(bundle.ruleset, bundle.logic, bundle.tokenization, bundle.rules_text, bundle.logic_text)
    return accuracy([e.label for e in examples], system.predictions([e.text for e in examples]))
