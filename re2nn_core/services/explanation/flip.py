"""The smallest change of a text after which its prediction is another one: what was found, and how people say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.explain.changes import Change, Edit
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out, spelling


@dataclass(frozen=True)
class Flip:
    """The smallest change found after which the prediction is another one. `change` None: none was found. `smallest`:
    nothing smaller does it, everything was looked at; `looked_at` counts what was tried."""

    before: str | None
    after: str | None
    change: Change | None
    smallest: bool
    complete: int
    looked_at: int
    by_network: bool
    note: str = ""

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        if self.before == self.after and self.change is None and self.note:
            return self.note
        tried = f"{counted(self.looked_at, 'change was', 'changes were')} tried"
        if self.change is None:
            complete = f"No change of {_words(self.complete)} does it" if self.complete else "Nothing was found"
            return f"{complete}; {tried}.{self._noted}"
        if self.smallest:
            none = "No change can be smaller" if len(self.change) == 1 else "Nothing smaller does it"
            return f"{none}; {tried}." if self.looked_at else f"{none}."
        return f"A smaller change may do it too; {tried}.{self._noted}"

    @property
    def _noted(self) -> str:
        return f" {self.note}" if self.note else ""


def _words(count: int) -> str:
    return "one word" if count == 1 else f"up to {count} words"


def change_in_words(change: Change) -> str:
    """A change as people say it."""
    if not change.edits:
        return "nothing has to change"
    return ", ".join(_edits_in_words(edits) for edits in _grouped(change.edits))


def _grouped(edits: Sequence[Edit]) -> list[list[Edit]]:
    """Words put in at one place, and neighbours that go, are one thing to people."""
    groups: list[list[Edit]] = []
    for edit in edits:
        last = groups[-1][-1] if groups else None
        onward = 1 if edit.kind == "delete" else 0
        together = (
            edit.kind != "replace" and last is not None and (last.kind, last.place + onward) == (edit.kind, edit.place)
        )
        if together:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def _edits_in_words(edits: Sequence[Edit]) -> str:
    first = edits[0]
    if first.kind == "replace":
        return f"replace “{spelling(first.old or '')}” by “{spelling(first.new or '')}”"
    words = spelled_out(edit.old or edit.new or "" for edit in edits)
    return f"insert “{words}” at word {first.place + 1}" if first.kind == "insert" else f"remove “{words}”"
