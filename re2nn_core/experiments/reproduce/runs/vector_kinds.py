"""Which word vectors runs were made with, where what is installed decides it; and runs of the other kind, in time.

`auto` and what the objective accuracy begins with take the sentence encoder where it is installed, and vectors made
here where it is not. What the two come to is so far apart that seeds or cells of both cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from re2nn_core.baselines.spec import ENCODER as READ_BY_ENCODER
from re2nn_core.baselines.spec import spec_of
from re2nn_core.embeddings.encoder_files import INSTALL, encoder_is_installed
from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns
from re2nn_core.experiments.reproduce.tables.spec import TASKS, Job, TableCell, jobs_of
from re2nn_core.experiments.reproduce.tables.systems import is_ordinary, nothing_random
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.text.counting import counted

ENCODER, BUILTIN = "encoder", "builtin"  # embeddings.builtin.NAME, which would load numpy for a list of tables
IN_WORDS = {ENCODER: "the sentence encoder's word vectors", BUILTIN: "the built-in word vectors"}
BUILTIN_TAKEN = (
    "The extra `encoder` is not installed: networks take the built-in word vectors, made from spelling and the texts. "
    "The results that come with this program were run with the sentence encoder, which is more accurate where texts "
    f"are few. {INSTALL}"
)
_MOST = 3  # cells that are named
_MIXING = frozenset(("rule_weight",))  # settings that let word vectors speak before training


@dataclass(frozen=True)
class Other:
    """A cell that is to be run, and the runs of the other kind that it would stand beside: its own, or with `beside`
    those of other cells of the same data."""

    cell: TableCell
    runs: tuple[Run, ...]
    beside: bool


def kind_here() -> str:
    """What is taken on this machine."""
    return ENCODER if encoder_is_installed() else BUILTIN


def hangs_on_machine(job: Job) -> bool:
    """Whether what is installed decides which word vectors a job takes, and its figures hang on them."""
    settings = dict(job.settings)
    if job.kind not in TASKS or job.model == "rules" or "vectors" in settings:
        return False
    if is_ordinary(job.kind, job.model):
        return spec_of(job.model, TASKS[job.kind]).cell != READ_BY_ENCODER
    return job.model != "fa-rnn-undecomposed" and (not nothing_random(job) or bool(_MIXING & settings.keys()))


def vector_kind_of(run: Run) -> str | None:
    """Of a run of such a job. None where no word vectors played a part, or others were asked for."""
    known_settings = str(run.measured.settings.get("vectors", "auto"))
    if known_settings != CONTEXT and not known_settings.startswith("auto") or run.measured.vectors == "none":
        return None
    return BUILTIN if run.measured.vectors == BUILTIN else ENCODER


def others_kept(tasks: Sequence[PlannedRun], table: Sequence[TableCell], kept: KeptRuns) -> tuple[Other, ...]:
    """The cells of tasks whose kept runs, or where there are none those of the same data in the table, are of the kind
    that this machine would not take. Runs that the tasks replace do not count."""
    replaced = {(task.job.key, task.seed) for task in tasks}
    stays = {
        job: tuple(run for run in kept.of(job.key) if vector_kind_of(run) and (job.key, run.seed) not in replaced)
        for job in jobs_of(table)
        if hangs_on_machine(job)
    }
    here = kind_here()
    found = []
    for job in dict.fromkeys(task.job for task in tasks if task.job in stays):
        own = stays[job]
        runs = own or tuple(run for other in _of_same_data(job, stays) for run in stays[other])
        wrong = tuple(run for run in runs if vector_kind_of(run) != here)
        if wrong:
            found.append(Other(next(cell for cell in table if cell.job == job), wrong, not own))
    return tuple(found)


def _of_same_data(job: Job, jobs: Iterable[Job]) -> list[Job]:
    return [other for other in jobs if (other.kind, other.data) == (job.kind, job.data)]


def check_kinds(tasks: Sequence[PlannedRun], table: Sequence[TableCell], kept: KeptRuns) -> None:
    """InputError where runs of the other kind are kept already: which, and what to do."""
    found = others_kept(tasks, table, kept)
    if not found:
        return
    here = kind_here()
    there = IN_WORDS[ENCODER if here == BUILTIN else BUILTIN]
    lines = [f"  {_in_words(other)}" for other in found[:_MOST]]
    lines += [f"  and {counted(len(found) - _MOST, 'more cell')}"] if len(found) > _MOST else []
    why, repair = (
        ("the extra `encoder` is not installed", f"Install the extra. {INSTALL}\nOr give")
        if here == BUILTIN
        else ("the extra `encoder` is installed", "Run them all again with --again, or give")
    )
    raise InputError(
        f"Nothing was run: the results have runs with {there}, and on this machine {IN_WORDS[here]} would be taken, as "
        f"{why}. Figures of two kinds cannot be compared.\n"
        + "\n".join(lines)
        + f"\n{repair} another --output folder, or use --mixed-vectors to continue."
    )


def _in_words(other: Other) -> str:
    seeds = ", ".join(str(seed) for seed in sorted({run.seed for run in other.runs}))
    if not other.beside:
        return f"{other.cell.name}: seed{'s' if ',' in seeds else ''} {seeds}"
    data = "" if other.cell.job is None else f" of {other.cell.job.data}"
    return f"{other.cell.name}: none of its own; {counted(len(other.runs), 'run')} of other cells{data}"


def takes_builtin(tasks: Iterable[PlannedRun]) -> bool:
    """Whether the tasks will take the vectors made here for want of the encoder."""
    return kind_here() == BUILTIN and any(hangs_on_machine(task.job) for task in tasks)
