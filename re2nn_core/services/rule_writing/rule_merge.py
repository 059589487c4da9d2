"""Two edits of one version of the rules put together: what one side alone changed is taken from it, rule by rule; what
both changed in different ways is a conflict, which a person decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.rules.sentences import quoted_sentence
from re2nn_core.services.rule_writing.rule_units import (
    END,
    SECTION,
    SENTENCE,
    Key,
    Unit,
    rule_units,
    sentence_units,
    sentences_of_units,
    setting_units,
)

Side = Literal["theirs", "mine"]
Texts = tuple[str, str, str]  # rules, label logic, sentences


@dataclass(frozen=True)
class MergeConflict:
    """A unit that both sides changed, each in its own way: its name, and its text on each side; None where it was
    removed."""

    name: str
    theirs: str | None
    mine: str | None


@dataclass(frozen=True)
class Merged:
    """The texts with the changes of both sides, the names of what each side changed, and what both did; where a
    conflict is not decided the texts have their side."""

    texts: Texts
    theirs: tuple[str, ...]
    mine: tuple[str, ...]
    conflicts: tuple[MergeConflict, ...]


def merge_versions(base: Texts, theirs: Texts, mine: Texts, decided: Mapping[str, Side] | None = None) -> Merged:
    """Put both sides together; `decided` says by the name of a conflict whose text is kept. InputError where sentences
    of a side cannot be read."""
    kinds: tuple[tuple[Callable[[str], list[Unit]], Callable[[Sequence[Unit]], str]], ...] = (
        (rule_units, _text_of),
        (setting_units, _text_of),
        (sentence_units, sentences_of_units),
    )
    sides = [
        _Sides(split(was), split(now), split(own), decided or {})
        for (split, _), was, now, own in zip(kinds, base, theirs, mine, strict=True)
    ]
    rules, logic, sentences = (
        join(one.merged()) if one.changed_by(one.theirs) and one.changed_by(one.mine) else text
        for (_, join), one, text in zip(kinds, sides, _only_changed(base, theirs, mine), strict=True)
    )
    return Merged(
        (rules, logic, sentences),
        tuple(name for one in sides for name in one.changed_by(one.theirs)),
        tuple(name for one in sides for name in one.changed_by(one.mine)),
        tuple(conflict for one in sides for conflict in one.conflicts()),
    )


def _only_changed(base: Texts, theirs: Texts, mine: Texts) -> list[str]:
    """Of each text the side that changed it, down to its blank lines: mine where they did not."""
    return [own if was == now else now for was, now, own in zip(base, theirs, mine, strict=True)]


class _Sides:
    """The units of a text on three sides."""

    def __init__(self, base: list[Unit], theirs: list[Unit], mine: list[Unit], decided: Mapping[str, Side]) -> None:
        self.base, self.theirs, self.mine = ({unit.key: unit for unit in units} for units in (base, theirs, mine))
        self.decided = decided

    def _changed(self, side: Mapping[Key, Unit]) -> list[Key]:
        return [key for key in {**self.base, **side} if _differ(self.base.get(key), side.get(key))]

    def changed_by(self, side: Mapping[Key, Unit]) -> tuple[str, ...]:
        """The names of what a side changed, with what became of it."""
        return tuple(
            f"{_name(key)}{'' if key in self.base and key in side else ' (added)' if key in side else ' (removed)'}"
            for key in self._changed(side)
        )

    def _both(self) -> Iterator[Key]:
        theirs = set(self._changed(self.theirs))
        for key in self._changed(self.mine):
            if key in theirs and _differ(self.theirs.get(key), self.mine.get(key)):
                yield key

    def conflicts(self) -> Iterator[MergeConflict]:
        """What both sides changed in different ways."""
        for key in self._both():
            yield MergeConflict(_name(key), _shown(self.theirs.get(key)), _shown(self.mine.get(key)))

    def merged(self) -> list[Unit]:
        """Their units in their order, with what is taken of mine in its place."""
        theirs = {key for key in self._both() if self.decided.get(_name(key), "theirs") == "theirs"}
        taken = [key for key in self._changed(self.mine) if key not in theirs]
        units = list(self.theirs.values())
        removed = [key for key in taken if key not in self.mine]
        units = [unit for unit in units if unit.key not in removed or unit.key[0] == SECTION]
        for key in taken:
            if key in self.mine:
                self._put(units, self.mine[key])
        # A heading whose rules have not all gone stays: they would fall under the one above it.
        held = {unit.section for unit in units if unit.key[0] not in (SECTION, END)}
        return [unit for unit in units if unit.key not in removed or unit.section in held]

    def _put(self, units: list[Unit], unit: Unit) -> None:
        """A unit of mine in the place of theirs; else behind what stands before it on my side."""
        for place, other in enumerate(units):
            if other.key == unit.key and other.section == unit.section:
                units[place] = unit
                return
        units[:] = [other for other in units if other.key != unit.key]
        units.insert(self._place(units, unit), unit)

    def _place(self, units: list[Unit], unit: Unit) -> int:
        """Where a unit of mine goes that they do not have there."""
        end = len(units) - any(other.key[0] == END for other in units)
        before = list(self.mine.values())[: list(self.mine).index(unit.key)]
        if unit.key[0] == END:
            return len(units)
        if unit.key[0] == SECTION:
            sections = {other.section for other in before}
            return 1 + max((at for at, other in enumerate(units[:end]) if other.section in sections), default=end - 1)
        places = {other.key: at for at, other in enumerate(units) if other.section == unit.section}
        behind = next((places[other.key] + 1 for other in reversed(before) if other.key in places), None)
        if behind is not None or not unit.section:
            return behind or 0
        # They have no such section any more: its heading comes back with the rule.
        units.insert(end, next(other for other in before if (other.key[0], other.section) == (SECTION, unit.section)))
        return end + 1


def _differ(one: Unit | None, other: Unit | None) -> bool:
    return (None if one is None else one.same) != (None if other is None else other.same)


def _name(key: Key) -> str:
    """A unit as messages call it."""
    kind, name, number = key
    if kind.startswith(SENTENCE):
        return f"{kind}: {quoted_sentence(name)}"
    again = f" ({number})" if number > 1 else ""
    return f"[{name}]{again}" if kind == SECTION else f"{name}{again}"


def _shown(unit: Unit | None) -> str | None:
    return None if unit is None else unit.text.strip("\n")


def _text_of(units: Sequence[Unit]) -> str:
    """The units one below the other, with a line end behind the last."""
    return "\n".join(unit.text for unit in units).rstrip("\n") + "\n"
