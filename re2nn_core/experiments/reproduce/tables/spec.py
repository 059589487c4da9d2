"""What a published table is made of: its cells, the figure that was published for each, and the job that measures it.

A table is data. Cells of several tables may name the same job: what was run for one counts for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from re2nn_core.task import Task

# What a job measures, by the word under which its runs are stored; of two kinds, systems are trained for a task.
JobKind = Literal["labels", "slots", "label facts", "slot facts", "read back"]
TASKS: Mapping[str, Task] = {"labels": Task.CLASSIFICATION, "slots": Task.SLOT_FILLING}
Setting = str | float | int | bool | None
Path = tuple[str | int, ...]  # of keys into the file of published figures


@dataclass(frozen=True)
class Job:
    """What is run, once a seed. `amount`: a share of the training texts up to 1, or a number of them above it; 0 trains
    nothing. `model` is a name in the register of systems. `settings` are those that differ from what the system begins
    with. A job is stored under its key."""

    kind: JobKind
    data: str
    model: str
    amount: float = 1.0
    settings: tuple[tuple[str, Setting], ...] = ()

    @property
    def key(self) -> str:
        """Its name in a file of runs: the same on every machine, and for people to read."""
        changed = ",".join(f"{name}={value}" for name, value in self.settings)
        return f"{self.kind}/{self.data}/{amount_text(self.amount)}/{self.model}" + (f"/{changed}" if changed else "")


COUNTS = frozenset(
    (
        *("train texts", "dev texts", "test texts", "words", "labels", "rules", "states", "fst states"),
        *("ifst states", "parameters", "free parameters", "hours"),
    )
)


def amount_text(amount: float) -> str:
    """`10` for a number of texts, `10%` for a share."""
    return f"{amount:g}" if amount > 1 or not amount else f"{100 * amount:g}%"


@dataclass(frozen=True)
class Column:
    """`group` stands above several columns: the data set."""

    name: str
    group: str = ""

    @property
    def title(self) -> str:
        """Both."""
        return f"{self.group} {self.name}".strip()


@dataclass(frozen=True)
class TableCell:
    """`published`: where its figure is in the published file; of several the best is meant. `printed` is a figure that
    the file lacks and the paper prints. A cell without a job says why it has none."""

    row: str
    column: Column
    job: Job | None
    measure: str = "accuracy"
    published: tuple[Path, ...] = ()
    printed: float | None = None
    why_not: str = ""

    def __post_init__(self) -> None:
        if (self.job is None) != bool(self.why_not):
            raise ValueError(f"the cell {self.name} needs a job, or a reason why it has none")

    @property
    def name(self) -> str:
        """Row and column."""
        return f"{self.row} | {self.column.title}"

    @property
    def digits(self) -> int:
        """How many stand behind the point: none where it counts."""
        return 0 if self.measure in COUNTS else 2


@dataclass(frozen=True)
class CurveAxes:
    """How a table is drawn: a line for each row, its columns along the axis below; a picture for each group."""

    below: str
    beside: str = "per cent"


@dataclass(frozen=True)
class PaperTable:
    """A table or figure of a paper. `quick`: the rows and columns (by title) of the smaller version. `why_not`: it
    cannot be run at all, and has no cells."""

    name: str
    title: str
    unit: str = "accuracy on test, per cent"
    cells: tuple[TableCell, ...] = ()
    quick: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    curve: CurveAxes | None = None
    note: str = ""
    why_not: str = ""

    @property
    def paper(self) -> str:
        """`EMNLP 2020`."""
        return f"EMNLP {self.name[5:9]}"

    @property
    def number(self) -> str:
        """`table 5`."""
        what = self.name.partition("-")[2]
        kind = what.rstrip("0123456789")
        return f"{kind} {what.removeprefix(kind)}".strip()

    @property
    def rows(self) -> tuple[str, ...]:
        """In their order."""
        return tuple(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> tuple[Column, ...]:
        """In their order."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Each once."""
        return jobs_of(self.cells)

    def quick_cells(self) -> tuple[TableCell, ...]:
        """Those of the smaller version; all where none is named."""
        rows, columns = self.quick
        return tuple(
            cell
            for cell in self.cells
            if (not rows or cell.row in rows) and (not columns or cell.column.title in columns)
        )


def jobs_of(cells: Iterable[TableCell]) -> tuple[Job, ...]:
    """The jobs of some cells, each once, in their order."""
    return tuple(dict.fromkeys(cell.job for cell in cells if cell.job is not None))
