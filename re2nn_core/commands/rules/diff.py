"""diff: what came and what went between two rule files, rule by rule, with pictures of both machines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.collected_errors import every_fault
from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    note,
    task_option,
    tokenization_options,
)
from re2nn_core.commands._common.watching import counting_parts
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.rules.diff_inputs import (
    ComparedSide,
    one_rule_of_each,
    read_sides,
    refuse_unknown_names,
    written_first,
)
from re2nn_core.commands.rules.diff_pictures import (
    RULES_ALONE,
    DrawnPictures,
    draw_pictures,
    read_network,
    refuse_strange_network,
    to_draw,
)
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_difference.language_difference import RuleSide
    from re2nn_core.services.rule_difference.moved_texts import MovedTexts
    from re2nn_core.services.rule_difference.rule_set_difference import RuleSetDifference

BUDGET = 200_000  # as PAIR_BUDGET of the searches; that module is loaded when it is needed


@dataclass(frozen=True)
class _Asked:
    """The options of diff that are its own, as given."""

    rule: str | None
    rule_b: str | None
    label: str | None
    svg: Path | None
    png: Path | None
    dot: Path | None
    fold: bool
    data: Path | None
    logic_a: Path | None
    logic_b: Path | None
    all_overlaps: bool
    model: Path | None
    budget: int

    @property
    def pictures(self) -> dict[str, Path]:
        """The files of pictures that were asked for, by their kind."""
        kinds = {"svg": self.svg, "png": self.png, "dot": self.dot}
        return {kind: path for kind, path in kinds.items() if path is not None}


@click.command("diff", cls=GroupedCommand)
@click.argument("left", metavar="A", type=PATH)
@click.argument("right", metavar="B", type=PATH)
@click.option("--rule", help="Look at this rule alone.")
@click.option("--rule-b", help="With this rule of B; the rule of the same name unless given.")
@click.option("--label", "--slot", "label", help="Draw all rules of this label or slot as one automaton.")
@click.option("--svg", type=PATH, help="Draw both automata to this file, each state in the same place.")
@click.option("--png", type=PATH, help="The same as PNG.")
@click.option("--dot", type=PATH, help="The same as DOT.")
@click.option("--fold", is_flag=True, help="Draw each unchanged region as one state with the number of states in it.")
@click.option(
    "--data",
    type=PATH,
    help="Texts: list those whose prediction changes, the most frequent first; examples are taken from them.",
)
@click.option(
    "--logic-a", type=PATH, help="Label logic or priorities of A: for --data, and for what decides between labels."
)
@click.option("--logic-b", type=PATH, help="The same of B; those of A unless given.")
@click.option(
    "--all-overlaps",
    is_flag=True,
    help="List all overlapping pairs of labels or slots, not only those added, removed or undecided.",
)
@click.option(
    "--model",
    type=PATH,
    help="A model trained from A: lines as thick as training changed their weight in the rule of A, measured by the "
    "largest change.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET,
    show_default=True,
    help="Maximum number of steps of one search for a sentence; beyond it the result is 'too large to decide'.",
)
@task_option
@data_options
@tokenization_options
@json_option
def diff_command(
    left: Path,
    right: Path,
    task: Task | None,
    reading: ReadingOptions,
    tokenization: Tokenization | None,
    **options: Any,
) -> CommandResult:
    """Compare two rule files, or two rules.

    For each label and each rule: whether B accepts the same sentences, more, fewer or others, with a sentence that
    only one side accepts: one of --data where it has such a text, else a shortest one; the number of states and
    transitions kept (=), added (+), removed (−) and changed (±). For rules that capture words: the spans of each side
    in such a sentence. Then dead and subsumed rules, and sentences that match two labels where that is new, gone, or
    not decided.

    The drawing shows one automaton: that of --rule or --label, else of the first rule that differs.

    \b
    Exit codes:
      0    proved to be the same
      1    different, or some rule is too large to decide
      2    bad usage or input that cannot be used; nothing was written
      130  interrupted; no picture was written

    \b
    Example: re2nn diff before.txt after.txt --rule to_city --svg to_city.svg
    """
    from re2nn_core.commands.rules.diff_text import as_prediction
    from re2nn_core.services.rule_difference.overlap_changes import overlap_changes, what_decides

    asked = _Asked(**options)
    pictures = asked.pictures
    *_, sides, network = every_fault(
        lambda: refuse_outputs("svg", "png", "dot"),
        lambda: _refuse_two_names(asked),
        lambda: _refuse_weights(asked),
        lambda: read_sides(left, right, (asked.logic_a, asked.logic_b), task, tokenization),
        lambda: read_network(asked.model),
    )
    first, second = (side.side for side in sides)
    every_fault(
        lambda: refuse_unknown_names(sides, asked.rule, asked.rule_b, asked.label),
        lambda: refuse_strange_network(network, first),
    )
    of_a, of_b = asked.rule or asked.rule_b or "", asked.rule_b or asked.rule or ""  # the rules that were named
    if of_a:
        first, second = one_rule_of_each(sides, of_a, of_b)
    doing = ["the rules"]
    try:
        found = _compared(first, second, asked.budget, doing)
        doing.append("texts")
        moved, counts = None, written_first(sides)
        if asked.data is not None:
            from re2nn_core.services.rule_difference.known_texts import recognized_difference, word_counts

            texts = _texts(sides, asked.data, reading, tokenization)
            moved = _moved(sides, texts)
            found = recognized_difference(found, first, second, texts, sides[0].system.tokenization)
            counts = word_counts(texts, sides[0].system.tokenization)
        doing.append("the picture")
        drawn = DrawnPictures()
        if pictures:
            shown = to_draw(first, second, (one.name for one in found.differing), of_a or None, asked.label)
            name = "" if shown is None else shown.name
            titles = f"A {left}: {name}", f"B {right}: {name}"
            own = of_a or name  # the rule of A, under whose name the network has it
            drawn = draw_pictures(
                shown,
                pictures,
                titles,
                fold=asked.fold,
                network=network,
                written=sides[0].side.tree_of(own),
                own=own,
                counts=counts,
            )
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            note("")  # progress may stand in the line
        note(f"Stopped at {doing[-1]}." + (" No picture was written." if pictures else ""))
        raise
    for line in drawn.messages:
        note(line)
    decides = [what_decides(side.system, side.side) if side.logic else None for side in sides]
    overlaps = overlap_changes(*found.findings, (decides[0], decides[1]))
    return as_prediction(
        found,
        first,
        (str(left), str(right)),
        moved,
        drawn,
        overlaps,
        all_overlaps=asked.all_overlaps,
        budget=asked.budget,
    )


def _refuse_two_names(asked: _Asked) -> None:
    if asked.label is not None and (asked.rule is not None or asked.rule_b is not None):
        raise InputError("--rule and --label were both given. Leave one of them out.")


def _refuse_weights(asked: _Asked) -> None:
    if asked.model is not None and not asked.pictures:
        raise InputError("--model changes how lines are drawn: write --svg, --png or --dot FILE too, or leave it out.")
    if asked.model is not None and asked.label is not None:
        raise InputError(RULES_ALONE)


def _compared(left: RuleSide, right: RuleSide, budget: int, doing: list[str]) -> RuleSetDifference:
    from re2nn_core.api.comparing import diff as compared

    report_progress = counting_parts()

    def on_progress(what: str, done: int, total: int) -> None:
        doing[-1] = what
        report_progress(what, done, total)

    return compared(left, right, budget=budget, on_progress=on_progress)


def _texts(
    sides: tuple[ComparedSide, ComparedSide], data: Path, reading: ReadingOptions, tokenization: Tokenization | None
) -> Sequence[str]:
    """The texts of a file. DataFileError."""
    if sides[0].side.tagging:
        from re2nn_core.commands._common.slot_filling.data import read_any_texts

        return read_any_texts(data, reading, tokenization)[0].texts
    from re2nn_core.commands._common.inputs import read_label_texts

    return read_label_texts(data, reading).corpus.texts


def _moved(sides: tuple[ComparedSide, ComparedSide], texts: Sequence[str]) -> MovedTexts:
    from re2nn_core.services.rule_difference.moved_texts import moved_labels, moved_spans
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem

    left, right = (side.system for side in sides)
    if isinstance(left, SlotSystem) and isinstance(right, SlotSystem):
        return moved_spans(left, right, texts)
    if not isinstance(left, RuleSystem) or not isinstance(right, RuleSystem):
        raise InputError("Give two rule files of one kind.")
    return moved_labels(left, right, texts)
