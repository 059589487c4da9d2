"""What an import did, or would do, in sentences: the same on the command line and on the page Projects."""

from __future__ import annotations

from collections.abc import Iterator

from re2nn_core.services.projects.exchanging import FileRead, Imported
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted

_NAMED = 6  # labels with suggested rules


def imported_in_words(done: Imported) -> Iterator[str]:
    """A line on the project, then one on each thing that is to be known; options are those of the command line."""
    left_out = sum(len(read.bad_rows) for read in done.files)
    rest = f"; {counted(left_out, 'row')} left out" if left_out else ""
    added = f"{counted(done.added, 'text')} {'added' if done.written else 'to add'}"
    yield f"{done.project.name}: {added} ({done.project.task}){rest}."
    for read in done.files:
        yield from _columns_in_words(read, done.project.task)
    if done.held_out:
        yield done.held_out
    if done.rules:
        named = ", ".join(done.rules[:_NAMED]) + (" ..." if len(done.rules) > _NAMED else "")
        what = by_task(done.project.task, classification="labels", slot_filling="slots")
        yield f"Starter rules were made from the texts, as rules v1, for the {what}: {named}. --no-rules suggests none."
    if done.repeated:
        yield done.repeated
    yield from _already_there(done)


def _columns_in_words(read: FileRead, task: Task) -> Iterator[str]:
    if read.columns is None:
        return
    prediction = by_task(task, classification="label", slot_filling="spans")
    yield f"{read.name}: {read.columns.in_words(prediction, options=True)}."
    yield from (f"{read.name}: {remark}" for remark in read.columns.remarks)
    if read.columns.lists_of_labels and task == Task.CLASSIFICATION:
        yield f"{read.name}: {read.columns.lists_of_labels}"
    if read.columns.question:
        yield f"{read.columns.question} Import again with --label-column NAME."


def _already_there(done: Imported) -> Iterator[str]:
    """Of texts for a project that exists: those that it has."""
    if done.already:
        of = f"{done.already:,} of {done.read:,}"
        kept = "added again" if done.kept else "left out (--again adds them too)"
        yield f"{of} texts are already in the project with the same annotation, or have none: {kept}."
    if done.differing:
        one = done.differing == 1
        verb = "came" if done.written else "comes" if one else "come"
        separate = "a separate text" if one else "separate texts"
        which = counted(done.differing, "text")
        yield f"{which} of the project {verb} with a different annotation: added as {separate}."
