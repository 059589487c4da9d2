"""draw: the machine of a rule or a label as DOT text or SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.options import PATH, json_option, refuse_folders, tokenization_options
from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
    from re2nn_core.rules.ruleset import RuleSet
    from re2nn_core.rules.tree import Node


@click.command("draw")
@click.argument("file", type=PATH)
@click.option("--rule", help="Draw this rule.")
@click.option("--label", help="Draw the rules of this label as one machine.")
@click.option("--exact", is_flag=True, help="The machine that reads words only: one arc for each word.")
@click.option("--format", "kind", type=click.Choice(["dot", "svg"]), help="[default: the ending of -o, or dot]")
@click.option("-o", "--output", type=PATH, help="Write the drawing to this file.")
@tokenization_options
@json_option
def draw_command(
    file: Path,
    rule: str | None,
    label: str | None,
    exact: bool,
    kind: str | None,
    output: Path | None,
    tokenization: Tokenization | None,
) -> Answer:
    """Draw the machine of a rule or of a label.

    DOT is text that every Graphviz viewer opens; for SVG the program `dot` of Graphviz is needed.

    \b
    Example: re2nn draw rules.txt --rule to_city -o to_city.svg
    """
    from re2nn_core.plots.automaton import automaton_dot, render
    from re2nn_core.services.sources import load_rules

    if output is not None:
        refuse_folders(output)
    chosen = kind or ("svg" if output is not None and output.suffix.lower() == ".svg" else "dot")
    ruleset = load_rules(file, None, tokenization or Tokenization()).ruleset
    name, tree = _choose(ruleset, file, rule, label)
    machine = _machine(tree, name, exact=exact)
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


def _choose(ruleset: RuleSet, file: Path, rule: str | None, label: str | None) -> tuple[str, Node]:
    """Name and tree of what is to be drawn; the only label where neither was given."""
    from re2nn_core.rules.tree import choice
    from re2nn_core.services.comparison import find_rule

    if rule is not None and label is not None:
        raise InputError("--rule and --label were both given. Leave one of them out.")
    if rule is not None:
        return f"rule '{rule}'", find_rule(ruleset, rule, str(file)).expanded
    labels = ", ".join(ruleset.labels)
    if label is None and len(ruleset.labels) > 1:
        raise InputError(
            f"{file} has {len(ruleset.labels):,} labels. Say what to draw with --rule or --label: {labels}."
        )
    label = ruleset.labels[0] if label is None else label
    if label not in ruleset.labels:
        raise NotFoundError(f"{file} has no label '{label}'. Its labels are: {labels}.")
    return f"label '{label}'", choice([entry.expanded for entry in ruleset.of_label(label)])


def _machine(tree: Node, name: str, *, exact: bool) -> PseudoDfa | ExactDfa:
    from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
    from re2nn_core.plots.automaton import refusal

    machine = exact_dfa(tree, rule=name) if exact else pseudo_dfa(tree, rule=name)
    if refusal(machine) is not None:
        raise InputError(
            f"The machine of {name} has {len(machine):,} states and {_arcs(machine):,} arcs, too many to read in a "
            "drawing.\nDraw one rule with --rule, or see the sizes of all machines with re2nn compile."
        )
    return machine


def _arcs(machine: PseudoDfa | ExactDfa) -> int:
    """Pairs of states that are joined, as drawn: all symbols between two states are one arc."""
    return sum(1 for _ in machine.arcs())
