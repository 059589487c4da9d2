"""What was changed in single rows of a table, or is odd in them, counted over all parts of a file, with the first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.tables.cells import is_date, is_numeric_cell
from re2nn_core.text.counting import counted
from re2nn_core.text.without_html import without_html

HTML_REMOVED = "with HTML, which was removed from the text"
_LETTER = re.compile(r"[^\W\d_]")
_SHOWN, _LONGEST = 40, 60


@dataclass
class RowCounts:
    """Texts whose HTML is left out, if that is asked for; texts and labels whose blanks at the ends are; texts without
    a word."""

    strip_html: bool = False
    html: Remarks = field(default_factory=Remarks)
    trimmed: dict[str, tuple[int, str]] = field(default_factory=dict)
    texts: int = 0
    wordless: list[tuple[int, str]] = field(default_factory=list)

    def without_html(self, text: str, line: int) -> str:
        """The text without its HTML, where that is asked for."""
        plain = without_html(text) if self.strip_html else text
        if plain != text:
            self.html.add(HTML_REMOVED, f"on line {line:,}")
        return plain

    def trim(self, what: str, written: str) -> None:
        """Count a cell from which blanks were taken off."""
        count, first = self.trimmed.get(what, (0, written))
        self.trimmed[what] = (count + 1, first)

    def take(self, texts: Iterable[tuple[int, str]]) -> None:
        """The next texts, with their lines."""
        for line, text in texts:
            self.texts += 1
            if _is_wordless(text):
                self.wordless.append((line, text[:_LONGEST]))

    def notes(self) -> tuple[str, ...]:
        """A note on each."""
        return (*self.html.notes(), *self._trimmed_note(), *self._wordless_note())

    def _trimmed_note(self) -> tuple[str, ...]:
        if not self.trimmed:
            return ()
        named = " and ".join(counted(count, what) for what, (count, _) in self.trimmed.items())
        shown = min((first for _, first in self.trimmed.values()), key=len)
        shown = repr(shown if len(shown) <= _SHOWN else f"…{shown[-_SHOWN:]}")
        return (f"Blanks were removed from the ends of {named}, such as {shown}.",)

    def _wordless_note(self) -> tuple[str, ...]:
        """On texts that are numbers or dates, as of a second table below the first, or of signs alone; where all are,
        the column was chosen for it."""
        count = len(self.wordless)
        if not count or count == self.texts:
            return ()
        line, text = self.wordless[0]
        hold = "holds" if count == 1 else "hold"
        return (
            f"{counted(count, 'text')} {hold} no word, such as {text!r} on line {line:,}. Remove the rows that are no "
            "texts from the file.",
        )


def _is_wordless(text: str) -> bool:
    text = text.strip()
    if text[:1].isalpha():
        return False
    return is_numeric_cell(text) or is_date(text) or _LETTER.search(text) is None
