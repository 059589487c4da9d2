"""The pictures that diff writes: which machine is drawn, with which weights, and files that are there whole or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import table
from re2nn_core.commands._common.options import note
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.automata.differences.folding import Folded
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.rules.tree import Node
    from re2nn_core.services.rule_difference.drawn_differences import ArcTableRow, DrawnDifference
    from re2nn_core.services.rule_difference.language_difference import RuleSide

_LISTED = 12
RULES_ALONE = (
    "--model gives weights to one rule for labels that A has. Name such a rule with --rule, or leave --model out."
)
Weights = Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class DrawnPictures:
    """What was drawn: the difference, the weights of its arcs where a network gave some, the files that were written
    by format, and what there is to tell. `own` is the rule of A that the weights are of."""

    difference: DrawnDifference | None = None
    weights: Weights | None = None
    written: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[str, ...] = ()
    own: str = ""


def to_draw(
    left: RuleSide, right: RuleSide, differing: Iterable[str], rule: str | None, label: str | None
) -> DrawnDifference | None:
    """What a picture shows; None where nothing differs and nothing was asked for."""
    from re2nn_core.services.rule_difference.drawn_differences import drawn_group, drawn_rule
    from re2nn_core.services.rule_difference.language_difference import rule_names_of_sides

    if label is not None:
        return drawn_group(left, right, label)
    if rule is not None:
        return drawn_rule(left, right, rule_names_of_sides(left, right)[0])
    first = next(iter(differing), None)
    if first is None:
        return None
    note(f"Drawn: rule '{first}', the first that differs; choose another with --rule or --label.")
    return drawn_rule(left, right, first)


def read_network(model: Path | None) -> Bundle | None:
    """The network that gives the weights, where one was named. ModelError where it cannot be read."""
    if model is None:
        return None
    from re2nn_core.network.classification.bundle import load_bundle

    return load_bundle(model)


def refuse_strange_network(network: Bundle | None, left: RuleSide) -> None:
    """InputError where A has no rules for labels, or others than the network was trained from."""
    if network is None:
        return
    from re2nn_core.services.rule_difference.classification.weighted_differences import refuse_other_network

    if left.tagging:
        raise InputError(RULES_ALONE)
    refuse_other_network(network, left.rules)


def draw_pictures(
    drawn: DrawnDifference | None,
    pictures: Mapping[str, Path],
    titles: tuple[str, str],
    *,
    fold: bool,
    network: Bundle | None,
    written: Node | None,
    own: str,
    counts: Mapping[str, int],
) -> DrawnPictures:
    """Write the pictures, all of them or, where something goes wrong before, none. `network` is one of A, whose rule
    is called `own` and is `written` so, None where A lacks it. Of many words the first by their `counts` are named."""
    from re2nn_core.automata.differences.folding import fold as folded
    from re2nn_core.exchange.tables.write import write_bytes
    from re2nn_core.plots.difference_files import difference_file
    from re2nn_core.plots.difference_scene import moved, scene_of

    if drawn is None:
        return DrawnPictures(messages=("No drawing: no rule differs. Choose one with --rule or --label to draw it.",))
    if drawn.difference is None:
        return DrawnPictures(drawn, messages=(f"No drawing of '{drawn.name}'. {drawn.refusal}",))
    weights = None if network is None or drawn.by_positions else _weights(drawn, network, written, own)
    shape = folded(drawn.difference, moved(weights)) if fold else None
    scene = scene_of(drawn.difference, shape, weights, counts)
    if scene.weighed is not None and own != drawn.name:
        scene = replace(scene, weighed=replace(scene.weighed, rule=own))
    files = {kind: difference_file(scene, titles, kind) for kind in pictures}
    reported = [] if scene.weighed is None else [scene.weighed.in_words]
    if drawn.by_positions:
        reported.append(drawn.by_positions)
    if shape is not None:
        reported.append(_folding(shape))
    for kind, path in pictures.items():
        write_bytes(path, files[kind])
        reported.append(f"Drawn to {path}.")
    return DrawnPictures(drawn, weights, {kind: str(path) for kind, path in pictures.items()}, tuple(reported), own)


def _folding(shape: Folded) -> str:
    """What --fold did, as a person counts it."""
    states = sum(map(len, shape.groups))
    if not shape.folds:
        return f"Nothing was folded: each of the {counted(states, 'state')} changed or is next to a change."
    return f"Folded: {counted(states, 'state')} are drawn as {len(shape.groups):,}; all changes are drawn."


def _weights(drawn: DrawnDifference, network: Bundle, written: Node | None, own: str) -> Weights:
    from re2nn_core.services.rule_difference.classification.weighted_differences import weights_of_arcs

    if written is None or drawn.difference is None:
        raise InputError(RULES_ALONE)
    return dict(weights_of_arcs(drawn, network, own, written))


def _weighed(drawn: DrawnPictures) -> list[tuple[ArcTableRow, float, float]]:
    """The arcs that have a weight, those that changed most in front."""
    from re2nn_core.services.rule_difference.drawn_differences import arc_rows

    if drawn.weights is None or drawn.difference is None or drawn.difference.difference is None:
        return []
    rows = arc_rows(drawn.difference.difference)
    found = [(row, *drawn.weights[row.place]) for row in rows if row.place in drawn.weights]
    return sorted(found, key=lambda one: -abs(one[2] - one[1]))


def weight_rows(drawn: DrawnPictures) -> list[dict[str, Any]] | None:
    """All weights for --json; None where no network was given."""
    if drawn.weights is None:
        return None
    return [
        {"source": row.source, "target": row.target, "words": list(_every(row)), "before": a, "after": b}
        for row, a, b in _weighed(drawn)
    ]


def weight_text(drawn: DrawnPictures) -> Iterable[str]:
    """What thickness shows in the picture, as a table."""
    found = _weighed(drawn)
    if not found or drawn.difference is None:
        return
    rows = [
        [f"{row.mark} {row.meaning}", row.source, row.target, _words(row), f"{before:.2f}", f"{after:.2f}"]
        for row, before, after in found[:_LISTED]
    ]
    head = f"Weights of '{drawn.own}' in the network, means over words, before and after training, most changed first:"
    more = [f"and {counted(len(found) - _LISTED, 'arrow')} more (--json has all)"] if len(found) > _LISTED else []
    columns = ["arrow", "from state", "to state", "words", "before", "after"]
    yield "\n".join([head, table(columns, rows), *more])


def _every(row: ArcTableRow) -> tuple[str, ...]:
    """The words of either side, of which a weight is the mean."""
    return tuple(dict.fromkeys((*row.before, *row.after)))


def _words(row: ArcTableRow, most: int = 4) -> str:
    words = _every(row)
    return " ".join(words[:most]) + (f" and {len(words) - most:,} more" if len(words) > most else "")
