"""diff: what came and what went between two rule files, rule by rule, with pictures of both machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands.answer import Answer
from re2nn_core.commands.options import (
    LABELS,
    PATH,
    SLOTS,
    Reading,
    data_options,
    json_option,
    note,
    refuse_folders,
    task_option,
    tokenization_options,
)
from re2nn_core.commands.slot_inputs import find_task
from re2nn_core.errors import InputError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.drawn_differences import DrawnDifference
    from re2nn_core.services.language_difference import RuleSide
    from re2nn_core.services.moved_texts import MovedTexts
    from re2nn_core.services.slot_systems import SlotSystem
    from re2nn_core.services.systems import RuleSystem


@dataclass(frozen=True)
class _Side:
    """A rule file with what it says about texts."""

    path: Path
    system: RuleSystem | SlotSystem
    side: RuleSide


@click.command("diff")
@click.argument("left", metavar="A", type=PATH)
@click.argument("right", metavar="B", type=PATH)
@click.option("--rule", help="Look at this rule alone.")
@click.option("--rule-b", help="With this rule of B; the rule of the same name unless given.")
@click.option("--label", "--slot", "label", help="Draw all rules of this label or slot as one machine.")
@click.option("--svg", type=PATH, help="Draw both machines to this file, each state in the same place.")
@click.option("--png", type=PATH, help="The same as PNG.")
@click.option("--dot", type=PATH, help="The same as DOT.")
@click.option("--fold", is_flag=True, help="Draw what did not change folded where there are more than 100 states.")
@click.option("--data", type=PATH, help="Texts: which of them change their answer, the most frequent first.")
@click.option("--logic-a", type=PATH, help="Label logic or priorities of A, for --data.")
@click.option("--logic-b", type=PATH, help="Label logic or priorities of B, for --data; those of A unless given.")
@click.option("--model", type=PATH, help="A model trained from A: lines as thick as training changed their weight.")
@task_option
@data_options
@tokenization_options
@json_option
def diff_command(
    left: Path,
    right: Path,
    rule: str | None,
    rule_b: str | None,
    label: str | None,
    svg: Path | None,
    png: Path | None,
    dot: Path | None,
    fold: bool,
    data: Path | None,
    logic_a: Path | None,
    logic_b: Path | None,
    model: Path | None,
    task: str | None,
    reading: Reading,
    tokenization: Tokenization | None,
) -> Answer:
    """What came and what went between two rule files, or two rules.

    For each label and each rule: whether B accepts the same sentences, more, less or others, with a shortest
    sentence of either side alone; states and arcs kept (=), added (+), removed (-) and changed (±). Then rules that
    do nothing, and sentences for which two labels speak, even such as no text contains. Of rules that capture words
    the tags count too. Exit code 1 if they differ.

    A picture shows one machine: that of --rule or --label, else of the first rule that differs.

    \b
    Example: re2nn diff before.txt after.txt --rule to_city --svg to_city.svg
    """
    from re2nn_core.commands.diff_text import as_answer
    from re2nn_core.services.rule_set_difference import rule_set_difference

    pictures = {kind: path for kind, path in (("svg", svg), ("png", png), ("dot", dot)) if path is not None}
    refuse_folders(*pictures.values())
    _refuse_contradictions(rule, rule_b, label, logic_a, logic_b, data)
    sides = _sides(left, right, (logic_a, logic_b), task, tokenization)
    first, second = (side.side for side in sides)
    _refuse_unknown(sides, rule, rule_b, label)
    if rule is not None or rule_b is not None:
        first, second = _alone(sides, rule or rule_b or "", rule_b or rule or "")
    found = rule_set_difference(first, second)
    moved = None if data is None else _moved(sides, data, reading, tokenization)
    drawn = _to_draw(first, second, found.differing, rule or rule_b, label) if pictures or model else None
    told = _draw(drawn, pictures, (str(left), str(right)), fold, model, sides[0]) if drawn else []
    if pictures and drawn is None:
        told.append("No picture: no rule differs. Name one with --rule or --label to see it all the same.")
    for line in told:
        note(line)
    written = {} if drawn is None or drawn.difference is None else {k: str(p) for k, p in pictures.items()}
    return as_answer(found, first, (str(left), str(right)), moved, written)


def _refuse_contradictions(
    rule: str | None,
    rule_b: str | None,
    label: str | None,
    logic_a: Path | None,
    logic_b: Path | None,
    data: Path | None,
) -> None:
    if label is not None and (rule is not None or rule_b is not None):
        raise InputError("--rule and --label were both given. Leave one of them out.")
    if data is None and (logic_a is not None or logic_b is not None):
        raise InputError("--logic-a and --logic-b decide answers for texts: write --data FILE too, or leave them out.")


def _sides(
    left: Path,
    right: Path,
    logics: tuple[Path | None, Path | None],
    task: str | None,
    tokenization: Tokenization | None,
) -> tuple[_Side, _Side]:
    """Both files; an empty one is of the kind of the other. InputError for files of different kinds."""
    cut = tokenization or Tokenization()
    tasks = [find_task(task, path, tokenization=cut) for path in (left, right)]
    if tasks[0] != tasks[1]:
        reads = {LABELS: "labels of whole texts", SLOTS: "slots, as they capture words"}
        raise InputError(
            f"{left} has rules for {reads[tasks[0]]}, and {right} has rules for {reads[tasks[1]]}. They say different "
            "things about a text. Give two rule files of one kind; --task says which, where a file has both."
        )
    read = _read_slots if tasks[0] == SLOTS else _read_labels
    return read(left, logics[0], cut), read(right, logics[1] or logics[0], cut)


def _read_labels(path: Path, logic: Path | None, tokenization: Tokenization) -> _Side:
    from re2nn_core.services.language_difference import label_side
    from re2nn_core.services.sources import load_rules

    system = load_rules(path, logic, tokenization).system()
    return _Side(path, system, label_side(system.ruleset, str(path)))


def _read_slots(path: Path, logic: Path | None, tokenization: Tokenization) -> _Side:
    from re2nn_core.services.language_difference import slot_side
    from re2nn_core.services.slot_sources import load_slots

    system = load_slots(path, logic, tokenization).system
    return _Side(path, system, slot_side(system, str(path)))


def _refuse_unknown(sides: tuple[_Side, _Side], rule: str | None, rule_b: str | None, label: str | None) -> None:
    """NotFoundError for a name that no file has, or that the file lacks for which it was given."""
    from re2nn_core.services.comparison import find_rule
    from re2nn_core.services.language_difference import group_names, refuse_unknown, rule_names

    first, second = (side.side for side in sides)
    if rule_b is not None:
        find_rule(sides[1].system.ruleset, rule_b, str(sides[1].path))
        if rule is not None:
            find_rule(sides[0].system.ruleset, rule, str(sides[0].path))
    elif rule is not None:
        refuse_unknown(rule_names(first, second), rule, "rule", first, second)
    if label is not None:
        refuse_unknown(group_names(first, second), label, first.kind, first, second)


def _alone(sides: tuple[_Side, _Side], left: str, right: str) -> tuple[RuleSide, RuleSide]:
    """Both sides with one rule each, under one name."""
    from dataclasses import replace

    name = left if left == right else f"{left} / {right}"
    alone = []
    for found, rule in zip((side.side for side in sides), (left, right), strict=True):
        groups = {group: (name,) for group, names in found.groups.items() if rule in names}
        trees = {name: found.rules[rule]} if rule in found.rules else {}
        alone.append(replace(found, rules=trees, groups=groups))
    return alone[0], alone[1]


def _to_draw(
    left: RuleSide, right: RuleSide, differing: object, rule: str | None, label: str | None
) -> DrawnDifference | None:
    """What a picture shows; None where nothing differs and nothing was asked for."""
    from re2nn_core.services.drawn_differences import drawn_group, drawn_rule
    from re2nn_core.services.language_difference import LanguageVerdict, rule_names

    if label is not None:
        return drawn_group(left, right, label)
    if rule is not None:
        return drawn_rule(left, right, rule_names(left, right)[0])
    first = next(iter(differing if isinstance(differing, tuple) else ()), None)
    if not isinstance(first, LanguageVerdict):
        return None
    note(f"Drawn: rule '{first.name}', the first that differs; choose another with --rule or --label.")
    return drawn_rule(left, right, first.name)


def _draw(
    drawn: DrawnDifference,
    pictures: dict[str, Path],
    files: tuple[str, str],
    fold: bool,
    model: Path | None,
    left: _Side,
) -> list[str]:
    """Write the pictures; what there is to tell."""
    from re2nn_core.automata.folding import fold as folded
    from re2nn_core.plots.difference_files import difference_file
    from re2nn_core.plots.difference_scene import scene_of

    if drawn.difference is None:
        return [f"No picture of '{drawn.name}'. {drawn.refusal}"]
    weights = None if model is None else _weights(drawn, model, left)
    scene = scene_of(drawn.difference, folded(drawn.difference) if fold else None, weights)
    titles = f"A {files[0]}: {drawn.name}", f"B {files[1]}: {drawn.name}"
    told = []
    for kind, path in pictures.items():
        path.write_bytes(difference_file(scene, titles, kind))
        told.append(f"Drawn to {path}.")
    return told


def _weights(drawn: DrawnDifference, model: Path, left: _Side) -> dict[int, tuple[float, float]]:
    from re2nn_core.network.bundle import load_bundle
    from re2nn_core.services.weighted_differences import weights_of_arcs

    tree = left.side.tree_of(drawn.name)
    if left.side.tagging or tree is None or drawn.difference is None:
        raise InputError("--model gives weights to one rule for labels. Name it with --rule, or leave --model out.")
    return dict(weights_of_arcs(drawn.difference, load_bundle(model), drawn.name, tree))


def _moved(sides: tuple[_Side, _Side], data: Path, reading: Reading, tokenization: Tokenization | None) -> MovedTexts:
    from re2nn_core.services.moved_texts import moved_labels, moved_spans
    from re2nn_core.services.slot_systems import SlotSystem

    left, right = (side.system for side in sides)
    if isinstance(left, SlotSystem) and isinstance(right, SlotSystem):
        from re2nn_core.commands.slot_data import read_any_texts

        return moved_spans(left, right, read_any_texts(data, reading, tokenization)[0].texts)
    from re2nn_core.commands.inputs import read_texts
    from re2nn_core.services.systems import RuleSystem

    if not isinstance(left, RuleSystem) or not isinstance(right, RuleSystem):
        raise InputError("Give two rule files of one kind.")
    return moved_labels(left, right, read_texts(data, reading).corpus.texts)
