"""The lines of one text of a CoNLL file, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from re2nn_core.exchange.span_rows import SlotRow, SlotRows
from re2nn_core.exchange.tables.table import BadRow


@dataclass
class Sentence:
    """Lines up to the next blank one; `tags` is empty where the file marks nothing."""

    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    faults: list[BadRow] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """Note what is wrong with a line; the whole text is left out then."""
        self.faults.append(BadRow(line, reason))

    def close(self, result: SlotRows, *, marked: bool = True) -> None:
        """Put the sentence into the rows, or its faults, the first with the lines that are left out with it."""
        if not self.faults:
            if self.words:
                tags = tuple(self.tags) if marked else None
                result.rows.append(SlotRow(self.lines[0], tokens=tuple(self.words), tags=tags))
            return
        first, *rest = self.faults
        if len(self.lines) > 1:
            extent = f"lines {self.lines[0]:,} to {self.lines[-1]:,}"
            first = BadRow(first.line, f"{first.reason} (its text, {extent}, is left out)")
        result.bad_rows += [first, *(replace(fault, again=True) for fault in rest)]
