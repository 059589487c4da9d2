"""draw: the machine of a rule or a label as DOT text or SVG; of rules for slots the transducer, with tags on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, json_option, refuse_given, task_option, tokenization_options
from re2nn_core.commands._common.sources import find_task
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.files import naming
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.automata.independent import AnyTransducer
    from re2nn_core.rules.ruleset import RuleSet
    from re2nn_core.rules.tree import Node

_OTHER_PICTURES = frozenset((".pdf", ".png", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp"))
TRANSDUCERS = ("fst", "ifst", "positions")


@click.command("draw", cls=GroupedCommand)
@click.argument("file", type=PATH)
@click.option("--rule", help="Draw this rule.")
@click.option("--label", help="Draw the rules of this label as one automaton.")
@click.option("--exact", is_flag=True, help="The automaton without wildcard symbol: one transition for each word.")
@click.option(
    "--transducer",
    type=click.Choice(TRANSDUCERS),
    help="Slots only: the minimal transducer, the same made independent, or a state for each place. [default: fst]",
)
@task_option
@click.option("--format", "kind", type=click.Choice(["dot", "svg"]), help="[default: the ending of -o, or dot]")
@click.option("-o", "--output", type=PATH, help="Write the drawing to this file.")
@tokenization_options
@json_option
def draw_command(  # noqa: PLR0913 - a command's parameters are its options
    file: Path,
    rule: str | None,
    label: str | None,
    exact: bool,
    transducer: str | None,
    task: Task | None,
    kind: str | None,
    output: Path | None,
    tokenization: Tokenization | None,
) -> CommandResult:
    """Draw the automaton of a rule or of a label.

    For rules that capture words it is the transducer: each transition shows the word and, after a slash, its tag,
    such as boston / B-city; of an independent transducer the tags are in the states. A word without a tag is not
    tagged by the rule. Any Graphviz viewer opens DOT; SVG needs the program `dot` of Graphviz.

    \b
    Example: re2nn draw rules.txt --rule to_city -o to_city.svg
    """
    from re2nn_core.plots.automaton import render
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    refuse_outputs("output")
    if output is not None and output.suffix.lower() in _OTHER_PICTURES:
        raise InputError(
            f"{output}: drawings are written as DOT or SVG, not as {output.suffix.lstrip('.').upper()}. "
            f"Write -o {output.with_suffix('.svg')}, or write -o {output.with_suffix('.dot')} and convert it: "
            f"dot -T{output.suffix.lstrip('.').lower()} {output.with_suffix('.dot').name} -o {output.name}"
        )
    chosen = kind or ("svg" if output is not None and output.suffix.lower() == ".svg" else "dot")
    ruleset = load_rules(file, None, tokenization or Tokenization()).ruleset
    name, trees = _choose(ruleset, file, rule, label)
    drawing, sizes = by_task(
        find_task(task, file, tokenization=tokenization),
        classification=lambda: _draw_automaton(trees, name, exact=exact),
        slot_filling=lambda: _draw_transducer(trees, name, transducer or "fst"),
    )()
    if chosen == "svg":
        drawing = render(drawing, "svg").decode("utf-8")
    return _prediction({"machine": name, **sizes, "format": chosen}, drawing, output)


def _prediction(data: dict[str, Any], drawing: str, output: Path | None) -> CommandResult:
    if output is None:
        return CommandResult({**data, "output": None, "drawing": drawing}, drawing.rstrip("\n"))
    with naming(output):
        output.write_text(drawing, encoding="utf-8")
    sizes = f"{counted(data['states'], 'state')}, {counted(data['arcs'], 'arc')}"
    return CommandResult({**data, "output": str(output)}, f"{data['machine']}: {sizes}; drawn to {output}.")


def _choose(ruleset: RuleSet, file: Path, rule: str | None, label: str | None) -> tuple[str, list[Node]]:
    """Name and trees of what is to be drawn; the only label where neither was given."""
    from re2nn_core.services.rule_difference.comparison import find_rule

    if rule is not None and label is not None:
        raise InputError("--rule and --label were both given. Leave one of them out.")
    if rule is not None:
        return f"rule '{rule}'", [find_rule(ruleset, rule, str(file)).expanded]
    labels = ", ".join(ruleset.labels)
    if label is None and len(ruleset.labels) > 1:
        raise InputError(
            f"{file} has {counted(len(ruleset.labels), 'label')}. Say what to draw with --rule or --label: {labels}."
        )
    label = ruleset.labels[0] if label is None else label
    if label not in ruleset.labels:
        raise NotFoundError(f"{file} has no label '{label}'. Its labels are: {labels}.")
    return f"label '{label}'", [entry.expanded for entry in ruleset.of_label(label)]


def _draw_automaton(trees: Sequence[Node], name: str, *, exact: bool) -> tuple[str, dict[str, int]]:
    """DOT, and how large the machine is: all symbols between two states are one arc."""
    from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
    from re2nn_core.plots.automaton import automaton_dot, drawing_refusal
    from re2nn_core.rules.tree import choice

    refuse_given(Task.CLASSIFICATION, "transducer")
    tree = choice(list(trees))
    machine = exact_dfa(tree, rule=name) if exact else pseudo_dfa(tree, rule=name)
    sizes = {"states": len(machine), "arcs": sum(1 for _ in machine.arcs())}
    _refuse_large(drawing_refusal(machine), name, **sizes)
    return automaton_dot(machine), sizes


def _draw_transducer(trees: Sequence[Node], name: str, form: str) -> tuple[str, dict[str, int]]:
    """DOT, and how large the machine is: between two states there is an arc for each tag."""
    from re2nn_core.plots.transducer import drawn_arcs, tag_machine_dot, tag_machine_refusal

    refuse_given(Task.SLOT_FILLING, "exact")
    machine = _transducer(trees, name, form)
    sizes = {"states": len(machine), "arcs": sum(1 for _ in drawn_arcs(machine))}
    _refuse_large(tag_machine_refusal(machine), name, **sizes)
    return tag_machine_dot(machine), sizes


def _transducer(trees: Sequence[Node], name: str, form: str) -> AnyTransducer:
    from re2nn_core.automata.independent import independent
    from re2nn_core.automata.transducer import minimal_transducer, of_positions, position_transducer, transducer_union
    from re2nn_core.rules.tagging import tagged

    tree = transducer_union([tagged(tree) for tree in trees])
    if form == "positions":
        return of_positions(position_transducer(tree, name))
    machine = minimal_transducer(tree, rule=name)
    return independent(machine) if form == "ifst" else machine


def _refuse_large(reason: str | None, name: str, states: int, arcs: int) -> None:
    if reason is not None:
        advice = "Draw one rule with --rule, or list the sizes of all automata with re2nn compile."
        if name.startswith("rule "):
            advice = "Write its largest part as a separate rule and draw that, or replace long repeats."
        raise InputError(
            f"The automaton of {name} has {states:,} states and {arcs:,} transitions, too many for a drawing.\n{advice}"
        )
