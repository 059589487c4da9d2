"""draw: the machine of a rule or a label as DOT text or SVG; of rules for slots the transducer, with tags on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.options import (
    LABELS,
    PATH,
    SLOTS,
    json_option,
    refuse_folders,
    refuse_given,
    task_option,
    tokenization_options,
)
from re2nn_core.commands.slot_inputs import find_task
from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
    from re2nn_core.automata.transducer import Transducer
    from re2nn_core.rules.ruleset import RuleSet
    from re2nn_core.rules.tree import Node

TRANSDUCERS = ("fst", "ifst", "positions")


@click.command("draw")
@click.argument("file", type=PATH)
@click.option("--rule", help="Draw this rule.")
@click.option("--label", help="Draw the rules of this label as one machine.")
@click.option("--exact", is_flag=True, help="The machine that reads words only: one arc for each word.")
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
def draw_command(
    file: Path,
    rule: str | None,
    label: str | None,
    exact: bool,
    transducer: str | None,
    task: str | None,
    kind: str | None,
    output: Path | None,
    tokenization: Tokenization | None,
) -> Answer:
    """Draw the machine of a rule or of a label.

    Of rules that capture words it is the transducer: each arc with what it reads and the tag it gives, such as
    boston:B-city; OO is the tag by which a rule says nothing. DOT is text that every Graphviz viewer opens;
    for SVG the program `dot` of Graphviz is needed.

    \b
    Example: re2nn draw rules.txt --rule to_city -o to_city.svg
    """
    from re2nn_core.plots.automaton import automaton_dot, render, transducer_dot
    from re2nn_core.rules.tree import choice
    from re2nn_core.services.sources import load_rules

    if output is not None:
        refuse_folders(output)
    chosen = kind or ("svg" if output is not None and output.suffix.lower() == ".svg" else "dot")
    ruleset = load_rules(file, None, tokenization or Tokenization()).ruleset
    name, trees = _choose(ruleset, file, rule, label)
    machine: PseudoDfa | ExactDfa | Transducer
    if find_task(task, file, tokenization=tokenization) == SLOTS:
        refuse_given(SLOTS, "exact")
        machine = _transducer(trees, name, transducer or "fst")
        drawing = transducer_dot(machine)
    else:
        refuse_given(LABELS, "transducer")
        machine = _machine(choice(trees), name, exact=exact)
        drawing = automaton_dot(machine)
    if chosen == "svg":
        drawing = render(drawing, "svg").decode("utf-8")
    data = {"machine": name, "states": len(machine), "arcs": _arcs(machine), "format": chosen}
    return _answer(data, drawing, output)


def _answer(data: dict[str, Any], drawing: str, output: Path | None) -> Answer:
    if output is None:
        return Answer({**data, "output": None, "drawing": drawing}, drawing.rstrip("\n"))
    output.write_text(drawing, encoding="utf-8")
    sizes = f"{counted(data['states'], 'state')}, {counted(data['arcs'], 'arc')}"
    return Answer({**data, "output": str(output)}, f"{data['machine']}: {sizes}; drawn to {output}.")


def _choose(ruleset: RuleSet, file: Path, rule: str | None, label: str | None) -> tuple[str, list[Node]]:
    """Name and trees of what is to be drawn; the only label where neither was given."""
    from re2nn_core.services.comparison import find_rule

    if rule is not None and label is not None:
        raise InputError("--rule and --label were both given. Leave one of them out.")
    if rule is not None:
        return f"rule '{rule}'", [find_rule(ruleset, rule, str(file)).expanded]
    labels = ", ".join(ruleset.labels)
    if label is None and len(ruleset.labels) > 1:
        raise InputError(
            f"{file} has {len(ruleset.labels):,} labels. Say what to draw with --rule or --label: {labels}."
        )
    label = ruleset.labels[0] if label is None else label
    if label not in ruleset.labels:
        raise NotFoundError(f"{file} has no label '{label}'. Its labels are: {labels}.")
    return f"label '{label}'", [entry.expanded for entry in ruleset.of_label(label)]


def _machine(tree: Node, name: str, *, exact: bool) -> PseudoDfa | ExactDfa:
    from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa

    machine = exact_dfa(tree, rule=name) if exact else pseudo_dfa(tree, rule=name)
    _refuse_large(machine, name)
    return machine


def _transducer(trees: Sequence[Node], name: str, form: str) -> Transducer:
    from re2nn_core.automata.independent import independent
    from re2nn_core.automata.transducer import minimal_transducer, of_positions, position_transducer, union
    from re2nn_core.rules.tagging import tagged

    tree = union([tagged(tree) for tree in trees])
    if form == "positions":
        machine = of_positions(position_transducer(tree, name))
    else:
        machine = minimal_transducer(tree, rule=name)
        machine = independent(machine).transducer if form == "ifst" else machine
    _refuse_large(machine, name)
    return machine


def _refuse_large(machine: PseudoDfa | ExactDfa | Transducer, name: str) -> None:
    from re2nn_core.plots.automaton import refusal

    if refusal(machine) is not None:
        raise InputError(
            f"The machine of {name} has {len(machine):,} states and {_arcs(machine):,} arcs, too many to read in a "
            "drawing.\nDraw one rule with --rule, or see the sizes of all machines with re2nn compile."
        )


def _arcs(machine: PseudoDfa | ExactDfa | Transducer) -> int:
    """Pairs of states that are joined, as drawn: all symbols between two states are one arc, of a transducer one for
    each tag that it gives."""
    from re2nn_core.automata.transducer import Transducer

    if isinstance(machine, Transducer):
        return len(machine.arcs)
    return sum(1 for _ in machine.arcs())
