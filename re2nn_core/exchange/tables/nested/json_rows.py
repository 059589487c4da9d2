"""Rows of objects, as they are read from JSON lines, and what is to be said of them all."""

from __future__ import annotations

from dataclasses import dataclass, field

from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.tables.assemble import blank_note
from re2nn_core.exchange.tables.table import BadRow, Cell
from re2nn_core.text.joined_names import join_names

_TWICE = "with the key '{key}' twice, which was not read there: keep one of the two in the file"


@dataclass
class JsonRows:
    """Objects as rows, None where a key is missing or null. `inside`: columns of values inside of objects; `left_out`:
    keys that hold lists or objects of which no value is a column, `paths_left_out` of a value in each; `paths` of texts
    in these; `filled`: keys with lists or objects that are not all empty; `under`: where in the one object of the file
    the rows are; `names_at`: where the names of their numbers of labels are; `twice`: keys that an object has
    twice; `form`: a note on the form that the objects had."""

    columns: list[str] = field(default_factory=list)
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    blank: int = 0
    inside: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    paths_left_out: dict[str, str] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    twice: Remarks = field(default_factory=Remarks)
    under: list[str] = field(default_factory=list)
    names_at: str = ""
    form: str = ""

    def add_twice(self, key: str, line: int) -> None:
        """Remember that the object on a line has a key twice, so that neither value of it is read."""
        self.twice.add(_TWICE.format(key=key), f"on line {line:,}")

    def notes(self) -> tuple[str, ...]:
        """What is to be said of lines, of keys that are there twice, and of where the rows are."""
        form = (self.form,) if self.form else ()
        if not self.under:
            return (*form, *blank_note(self.blank), *self.twice.notes())
        named = f"under {join_names([repr(path) for path in self.under])}" if all(self.under) else "in the object"
        names = (f"Numbers of labels were read by their names under '{self.names_at}'.",) if self.names_at else ()
        return (f"The texts are the rows {named}; numbers of lines count these.", *form, *names, *self.twice.notes())
