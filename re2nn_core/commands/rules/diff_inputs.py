"""The two rule files that diff compares, each with the logic that decides for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.collected_errors import every_fault
from re2nn_core.commands._common.sources import find_task
from re2nn_core.errors import InputError, LogicError
from re2nn_core.task import Task, by_task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_difference.language_difference import RuleSide
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem

_WORD = re.compile(r"[^\s|()\[\]{}@:=<>\"]+")
Logics = tuple[Path | None, Path | None]
_READS = {Task.CLASSIFICATION: "labels of whole texts", Task.SLOT_FILLING: "slots, as they capture words"}
_HOLDS = {Task.CLASSIFICATION: "label logic (TOML or JSON)", Task.SLOT_FILLING: "priorities between slots (TOML)"}


@dataclass(frozen=True)
class ComparedSide:
    """A rule file with what it says about texts. `logic`: whether a file of logic was read for it."""

    path: Path
    system: RuleSystem | SlotSystem
    side: RuleSide
    logic: bool


def written_first(sides: Sequence[ComparedSide]) -> Counter[str]:
    """For each word of the rules a number to sort by where there are no texts: the words that are written first come
    first."""
    text = " ".join(side.system.rules_text for side in sides)
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    return Counter({word: len(words) - place for place, word in enumerate(words)})


def read_sides(
    left: Path, right: Path, logics: Logics, task: Task | None, tokenization: Tokenization | None
) -> tuple[ComparedSide, ComparedSide]:
    """Both files; an empty one is of the kind of the other. InputError for files of different kinds, and for logic
    that is not there or does not fit."""
    cut = tokenization or Tokenization()
    tasks = every_fault(*(partial(find_task, task, path, tokenization=cut) for path in (left, right)))
    if tasks[0] != tasks[1]:
        raise InputError(
            f"{left} has rules for {_READS[tasks[0]]}, and {right} has rules for {_READS[tasks[1]]}. "
            "Give two rule files of one kind; use --task where a file has both."
        )
    every_fault(*(partial(_refuse_no_logic, letter, logics, _HOLDS[tasks[0]]) for letter in "ab"))
    read = by_task(tasks[0], classification=_read_labels, slot_filling=_read_slots)
    if logics[0] is None or logics[1] is not None:
        first, second = every_fault(partial(read, left, logics[0], cut), partial(read, right, logics[1], cut))
        return first, second
    first = read(left, logics[0], cut)
    try:
        return first, read(right, logics[0], cut)
    except LogicError as error:
        raise InputError(
            f"{right} (B) was read with the label logic of A, {logics[0]}, because --logic-b is not given. It does not "
            f"fit the rules of B:\n{error}\n"
            "Give the label logic of B with --logic-b FILE."
        ) from None


def _refuse_no_logic(letter: str, logics: Logics, holds: str) -> None:
    path = logics["ab".index(letter)]
    if path is None or path.is_file():
        return
    what = "this is a folder" if path.is_dir() else "there is no such file"
    instead = (
        f", or leave it out: B is then read with the logic of A, {logics[0]}" if letter == "b" and logics[0] else ""
    )
    side = letter.upper()
    raise InputError(f"--logic-{letter} {path}: {what}. Expected: the {holds} of {side}. Check the path{instead}.")


def _read_labels(path: Path, logic: Path | None, tokenization: Tokenization) -> ComparedSide:
    from re2nn_core.services.rule_difference.language_difference import label_side
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    system = load_rules(path, logic, tokenization).system()
    return ComparedSide(path, system, label_side(system.ruleset, str(path)), logic is not None)


def _read_slots(path: Path, logic: Path | None, tokenization: Tokenization) -> ComparedSide:
    from re2nn_core.services.rule_difference.language_difference import slot_side
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots

    system = load_slots(path, logic, tokenization).system
    return ComparedSide(path, system, slot_side(system, str(path)), logic is not None)


def refuse_unknown_names(
    sides: tuple[ComparedSide, ComparedSide], rule: str | None, rule_b: str | None, label: str | None
) -> None:
    """NotFoundError for a name that no file has, or that the file lacks for which it was given."""
    from re2nn_core.services.rule_difference.comparison import find_rule
    from re2nn_core.services.rule_difference.language_difference import (
        group_names,
        refuse_unknown_rule,
        rule_names_of_sides,
    )

    first, second = (side.side for side in sides)
    if rule_b is not None:
        named = [(side, name) for side, name in zip(sides, (rule, rule_b), strict=True) if name is not None]
        every_fault(*(partial(find_rule, side.system.ruleset, name, str(side.path)) for side, name in named))
    elif rule is not None:
        refuse_unknown_rule(rule_names_of_sides(first, second), rule, "rule", first, second)
    if label is not None:
        refuse_unknown_rule(group_names(first, second), label, first.kind, first, second)


def one_rule_of_each(sides: tuple[ComparedSide, ComparedSide], left: str, right: str) -> tuple[RuleSide, RuleSide]:
    """Both sides with one rule each, under one name."""
    name = left if left == right else f"{left} / {right}"
    alone = []
    for found, rule in zip((side.side for side in sides), (left, right), strict=True):
        groups = {group: (name,) for group, names in found.groups.items() if rule in names}
        trees = {name: found.rules[rule]} if rule in found.rules else {}
        alone.append(replace(found, rules=trees, groups=groups))
    return alone[0], alone[1]
