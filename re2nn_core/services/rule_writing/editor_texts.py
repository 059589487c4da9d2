"""The texts of two editors, of rules and of their label logic, as values: what is put into them and what they send."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol


class Sent(Protocol):
    """What an editor has sent: its text, and the number of that among the texts of one revision."""

    @property
    def text(self) -> str: ...
    @property
    def sequence(self) -> int: ...


@dataclass(frozen=True)
class EditorTexts:
    """`revision` rises whenever the program, not the person, puts texts into the editors; the sequence numbers are
    those of the texts that were sent last. `plain`: the editors are plain text areas."""

    rules: str = ""
    logic: str = ""
    revision: int = 0
    rules_sequence: int = 0
    logic_sequence: int = 0
    plain: bool = False

    @property
    def both(self) -> tuple[str, str]:
        """Rules and logic."""
        return self.rules, self.logic


def put(texts: EditorTexts, rules: str, logic: str) -> EditorTexts:
    """Other texts, which the editors are to show."""
    return EditorTexts(rules, logic, texts.revision + 1, plain=texts.plain)


def in_editors(texts: EditorTexts, *, plain: bool) -> EditorTexts:
    """The texts in editors of this kind; another kind starts from them, not from what it showed last."""
    return texts if plain == texts.plain else replace(put(texts, *texts.both), plain=plain)


def received(texts: EditorTexts, rules: Sent | None, logic: Sent | None) -> EditorTexts:
    """The texts with what the editors have sent; None of one that has sent nothing."""
    if rules is not None:
        texts = replace(texts, rules=rules.text, rules_sequence=rules.sequence)
    if logic is not None:
        texts = replace(texts, logic=logic.text, logic_sequence=logic.sequence)
    return texts
