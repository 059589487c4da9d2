"""Values above empty cells, as merged cells of a spreadsheet are saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_FEWEST, _MOST = 2, 0.75


@dataclass
class MergedCells:
    """Whether values stand above empty cells, as merged cells of a spreadsheet are saved: the first row is filled, each
    value is another one than the last, and nearly each has an empty cell below it."""

    rows: int = 0
    may_be: bool = True
    alone: int = 0
    last: str = ""
    above: bool = False  # the row before the next one is filled

    def take(self, cells: Sequence[str | None], filled: int) -> None:
        """The next cells of the column, of which so many are filled."""
        if self.rows == 0 and cells:
            self.may_be = bool(cells[0] and not cells[0].isspace())
        self.rows += len(cells)
        if not self.may_be:
            return
        if filled == len(cells) > 1:
            self.may_be = False
            return
        for cell in cells:
            if not cell or cell.isspace():
                self.alone += self.above
                self.above = False
                continue
            self.may_be = self.may_be and cell != self.last
            self.last, self.above = cell, True

    def remark(self, name: str, filled: int) -> str:
        if not self.may_be or filled < _FEWEST or self.alone < _MOST * filled:
            return ""
        return (
            f"In '{name}' each value has empty cells below it, as merged cells of a spreadsheet are saved: "
            f"{self.rows - filled:,} of {self.rows:,} rows have no label. If they have the one above them, fill it "
            "down in the spreadsheet and import the file again."
        )
