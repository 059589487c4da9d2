"""The folder that a training writes its model to: refused where a model would overwrite something else."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.errors import InputError, ModelError
from re2nn_core.network.model_folder import DESCRIPTION, RULES, WRITTEN_FILES, task_of_model
from re2nn_core.task import Task

OF_OTHER_RULES = "a model of other rules"


def check_output(folder: Path, task: Task, option: str) -> None:
    """InputError for a file, for a folder with other files that a model would overwrite, and for a model of another
    task. `option` is what messages call the folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: this is a file. Give a folder for {option}.")
    if not (folder / DESCRIPTION).exists():
        if taken := [name for name in WRITTEN_FILES if (folder / name).exists()]:
            raise InputError(
                f"{folder} is no model folder and has files that a model would overwrite: {', '.join(taken)}.\n"
                f"Give a new folder for {option}."
            )
        return
    _refuse_other_task(folder, task, option)


def replaced_model(folder: Path, rules_text: str) -> str:
    """What a training of these rules replaces in the folder, in words: empty for nothing."""
    if not (folder / DESCRIPTION).exists():
        return ""
    return "a model" if _written_rules(folder) == rules_text.split() else OF_OTHER_RULES


def _refuse_other_task(folder: Path, task: Task, option: str) -> None:
    try:
        found = task_of_model(folder)
    except ModelError:  # damaged, or of another version: there is nothing to keep
        return
    if found is not task:
        raise InputError(
            f"{folder} already contains a model for {found.in_words}, and these rules are for {task.in_words}. "
            f"Nothing was trained. Give a new folder for {option}."
        )


def _written_rules(folder: Path) -> list[str]:
    """The words of the rules that a model folder contains; no words where they cannot be read."""
    try:
        return (folder / RULES).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []
