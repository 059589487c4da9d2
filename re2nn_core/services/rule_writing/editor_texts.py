"""The texts of two editors, of rules and of their label logic, as values: what is put into them and what they send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from re2nn_core.rules.word_lists.definition import ListName, as_shown, with_lists, without_lists


class Sent(Protocol):
    """What an editor has sent: its text, and the number of that among the texts of one revision."""

    @property
    def text(self) -> str: ...
    @property
    def sequence(self) -> int: ...


@dataclass(frozen=True)
class EditorTexts:
    """`revision` rises whenever the program, not the person, puts texts into the editors; the sequence numbers are
    those of the texts that were sent last. `plain`: the editors are plain text areas. `kept`:
    the word lists that the rules have had, should a definition come back that was deleted."""

    rules: str = ""
    logic: str = ""
    revision: int = 0
    rules_sequence: int = 0
    logic_sequence: int = 0
    plain: bool = False
    kept: Mapping[ListName, str] = field(default_factory=dict)

    @property
    def shown_rules(self) -> str:
        """The rules without what they keep of their word lists, which no editor shows."""
        return as_shown(self.rules)

    @property
    def both(self) -> tuple[str, str]:
        """Rules and logic."""
        return self.rules, self.logic


def put(texts: EditorTexts, rules: str, logic: str) -> EditorTexts:
    """Other texts, which the editors are to show."""
    kept = {**texts.kept, **without_lists(texts.rules)[1], **without_lists(rules)[1]}
    return EditorTexts(with_lists(rules, kept), logic, texts.revision + 1, plain=texts.plain, kept=kept)


def in_editors(texts: EditorTexts, *, plain: bool) -> EditorTexts:
    """The texts in editors of this kind; another kind starts from them, not from what it showed last."""
    return texts if plain == texts.plain else replace(put(texts, *texts.both), plain=plain)


def received(texts: EditorTexts, rules: Sent | None, logic: Sent | None) -> EditorTexts:
    """The texts with what the editors have sent; None of one that has sent nothing."""
    if rules is not None:
        kept = {**texts.kept, **without_lists(texts.rules)[1]}
        texts = replace(texts, rules=with_lists(rules.text, kept), rules_sequence=rules.sequence, kept=kept)
    if logic is not None:
        texts = replace(texts, logic=logic.text, logic_sequence=logic.sequence)
    return texts
