"""Two rules, or the rules of a label or slot on two sides, as machines laid over one another: ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.differences.difference import (
    NO_TAG,
    ArcDifference,
    MachineDifference,
    Mark,
    tags_in_words,
)
from re2nn_core.automata.differences.language_difference import language_difference
from re2nn_core.automata.differences.plain import (
    NOTHING,
    PlainMachine,
    plain_of_pseudo,
    plain_of_transducer,
    without_tags,
)
from re2nn_core.automata.differences.skipped_words import skipped_from, skips_of, with_skipped_words
from re2nn_core.automata.symbols import Symbol, show_symbol, symbol_order
from re2nn_core.automata.transducer import minimal_transducer, of_positions, position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.tagging import OUTSIDE, WILDCARD, tagged
from re2nn_core.rules.tree import Node, named_words, with_cases
from re2nn_core.services.rule_difference.language_difference import RuleSide
from re2nn_core.text.case_words import surfaces_of
from re2nn_core.text.joined_names import join_names

DRAWN_BUDGET = 3_000
_POSITIONS = 160  # states, and transitions for each of them, of machines that are drawn by positions


@dataclass(frozen=True)
class DrawnDifference:
    """`difference` is None where a machine passes the budget; `refusal` says which. The machines are those that could
    be made. `origins` are for each state of the left those of its minimal machine that it stands for. `by_positions`
    says why both machines have a state for each word of their rule, empty where they are minimal."""

    name: str
    left: PlainMachine | None
    right: PlainMachine | None
    difference: MachineDifference | None
    refusal: str = ""
    origins: tuple[frozenset[int], ...] = ()
    by_positions: str = ""

    def states_of(self, node: int) -> frozenset[int]:
        """The states of the left's minimal machine that a node of the difference stands for; none where the left does
        not have it."""
        state = None if self.difference is None else self.difference.nodes[node].before
        return frozenset() if state is None else self.origins[state]


def drawn_rule(
    left: RuleSide, right: RuleSide, name: str, *, budget: int = DRAWN_BUDGET, sides: tuple[str, str] = ("A", "B")
) -> DrawnDifference:
    """One rule on both sides; a side that lacks it has a machine that accepts nothing."""
    trees = left.tree_of(name), right.tree_of(name)
    return drawn_trees(name, *trees, tagging=left.tagging, budget=budget, sides=sides)


def drawn_group(
    left: RuleSide, right: RuleSide, name: str, *, budget: int = DRAWN_BUDGET, sides: tuple[str, str] = ("A", "B")
) -> DrawnDifference:
    """All rules of a label or slot on both sides."""
    trees = left.tree_of_group(name), right.tree_of_group(name)
    return drawn_trees(name, *trees, tagging=left.tagging, budget=budget, sides=sides)


def drawn_trees(
    name: str,
    left: Node | None,
    right: Node | None,
    *,
    tagging: bool,
    budget: int = DRAWN_BUDGET,
    sides: tuple[str, str] = ("A", "B"),
) -> DrawnDifference:
    """Two trees as minimal machines, states of the same future merged, those of tagged trees with the tags on their
    arcs; without any change where they accept the same. Where one of them passes the budget both are drawn by
    positions, if that is small. `sides` are what messages call them."""
    machines: list[PlainMachine | None] = []
    refusals = []
    for side, tree in zip(sides, _in_common((left, right)), strict=True):
        try:
            machines.append(machine_of(tree, name, tagging=tagging, budget=budget))
        except StateBudgetError as error:
            machines.append(None)
            refusals.append(f"The automaton of {side} is too large to draw: {error}")
    first, second = machines
    if first is None or second is None:
        large = DrawnDifference(name, first, second, None, "\n".join(refusals))
        named = [side for side, machine in zip(sides, machines, strict=True) if machine is None]
        return _by_positions(name, (left, right), named, tagging=tagging, budget=budget) or large
    found, difference = with_skipped_words(*language_difference(first, second))
    return DrawnDifference(name, found.left, found.right, difference, origins=found.origins)


def _by_positions(
    name: str, trees: tuple[Node | None, Node | None], large: Sequence[str], *, tagging: bool, budget: int
) -> DrawnDifference | None:
    """Both as machines with a state for each word of their rule, in which several states may be reached by one word;
    None where these are large too. `large`: the sides whose minimal machine passes the budget."""
    machines = []
    for tree in _in_common(trees):
        if tree is None:
            machines.append(NOTHING)
            continue
        try:
            positions = position_transducer(tree if tagging else tagged(tree), name)
        except StateBudgetError:
            return None
        machine = plain_of_transducer(of_positions(positions), WILDCARD if tagging else OUTSIDE)
        if not tagging:
            machine = without_tags(machine)
        if len(machine) > _POSITIONS or len(machine.arcs) > _POSITIONS**2:
            return None
        machines.append(machine)
    found, difference = with_skipped_words(*language_difference(*machines))
    why = (
        f"Drawn by positions, with a state for each word of the rule: as an automaton {join_names(large)} would need "
        f"more than {budget:,} states."
    )
    return DrawnDifference(name, found.left, found.right, difference, origins=found.origins, by_positions=why)


def _in_common(trees: Sequence[Node | None]) -> list[Node | None]:
    """The trees, whose plain words all have the spellings that one of them tells from others."""
    surfaces = surfaces_of(frozenset[str]().union(*(named_words(tree) for tree in trees if tree is not None)))
    return [None if tree is None else with_cases(tree, surfaces) for tree in trees]


def machine_of(tree: Node | None, name: str, *, tagging: bool, budget: int = DRAWN_BUDGET) -> PlainMachine:
    """The minimal machine of a tree; one that accepts nothing for None. StateBudgetError."""
    if tree is None:
        return NOTHING
    if tagging:
        return plain_of_transducer(minimal_transducer(tree, budget=budget, rule=name), WILDCARD)
    return plain_of_pseudo(pseudo_dfa(tree, budget=budget, rule=name))


Tags = tuple[str, ...]


@dataclass(frozen=True)
class SideStep:
    """Where a sentence may be on one side after a word: states, and the arcs (source, target, tag) just walked;
    `skipped` are those (source, target) that needed no word behind them."""

    alive: tuple[int, ...]
    walked: tuple[tuple[int, int, str], ...]
    skipped: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class JointStep:
    """After `word` (None before the first) on both sides."""

    word: str | None
    left: SideStep
    right: SideStep


@dataclass(frozen=True)
class JointTrace:
    """One more step than the sentence has words, whether each side accepts it, and what either side gives each word:
    the tags on all ways on which it accepts the sentence, slots first; none where it does not."""

    steps: tuple[JointStep, ...]
    accepted: tuple[bool, bool]
    tags: tuple[tuple[Tags, ...], tuple[Tags, ...]]

    def died_at(self, side: int) -> int | None:
        """The place of the word behind which no state of a side is alive."""
        for place, step in enumerate(self.steps):
            if not (step.left, step.right)[side].alive:
                return place - 1
        return None


def step_both(left: PlainMachine, right: PlainMachine, sentence: Iterable[str]) -> JointTrace:
    """A sentence through both machines at once; a side that has died stays dead."""
    machines = left, right
    begin = [_step(machine, machine.behind_anchor(), ()) for machine in machines]
    steps = [JointStep(None, *begin)]
    for word in sentence:
        sides = []
        for machine, side in zip(machines, (steps[-1].left, steps[-1].right), strict=True):
            arcs = [arc for state in side.alive for arc in machine.reading(state, word)]
            walked = tuple((arc.source, arc.target, arc.tag) for arc in arcs)
            sides.append(_step(machine, frozenset(arc.target for arc in arcs), walked))
        steps.append(JointStep(word, *sides))
    last = steps[-1].left, steps[-1].right
    ends = [machine.before_end() & set(side.alive) for machine, side in zip(machines, last, strict=True)]
    tags = _given([step.left for step in steps], ends[0]), _given([step.right for step in steps], ends[1])
    return JointTrace(tuple(steps), (bool(ends[0]), bool(ends[1])), tags)


def _step(machine: PlainMachine, states: frozenset[int], walked: tuple[tuple[int, int, str], ...]) -> SideStep:
    alive = tuple(sorted(skipped_from(machine, states)))
    return SideStep(alive, walked, skips_of(machine, alive))


def _given(side: Sequence[SideStep], ends: frozenset[int]) -> tuple[Tags, ...]:
    """What each word gets on the ways that lead to one of `ends`, found from the last word back."""
    useful, given = ends, list[Tags]()
    for step in reversed(side[1:]):
        while before := {source for source, target in step.skipped if target in useful} - useful:
            useful |= before
        ways = [(source, tag) for source, target, tag in step.walked if target in useful]
        given.append(tuple(sorted({tag for _, tag in ways}, key=lambda tag: (not tag, tag))))
        useful = frozenset(source for source, _ in ways)
    return tuple(reversed(given))


@dataclass(frozen=True)
class ArcTableRow:
    """An arc of the difference in words, as tables and lists show it. `tag` is what its words get, `x → y` where that
    changed. `before` and `after` are all words of either side; the others part them in four; where an arc has several
    tags each word carries its own, as in `oslo/B-city` and, of the `retagged` ones, `oslo: B-city → B-town`."""

    place: int
    mark: str
    meaning: str
    source: str
    target: str
    tag: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    kept: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    retagged: tuple[str, ...]


def arc_rows(difference: MachineDifference) -> tuple[ArcTableRow, ...]:
    """All arcs; those that changed first."""
    rows = [_row(place, arc) for place, arc in enumerate(difference.arcs)]
    return tuple(sorted(rows, key=lambda row: row.mark == Mark.KEPT.value))


def _row(place: int, arc: ArcDifference) -> ArcTableRow:
    before, after = arc.tags
    return ArcTableRow(
        place,
        arc.mark.value,
        arc.mark.word,
        str(arc.source),
        str(arc.target),
        _tag_of(arc),
        _words(before, before),
        _words(after, after),
        _words(arc.kept, after),
        _words(arc.added, after),
        _words(arc.removed, before),
        _retagged(arc),
    )


def _retagged(arc: ArcDifference) -> tuple[str, ...]:
    """The words; each with both tags where those of the arc did not all change in the same way."""
    before, after = arc.tags
    several = any(len(set(side.values())) > 1 for side in arc.tags)
    return tuple(
        show_symbol(s) + (f": {tags_in_words(before[s])} → {tags_in_words(after[s])}" if several else "")
        for s in _ordered(arc.retagged)
    )


def _ordered(symbols: Iterable[Symbol]) -> list[Symbol]:
    return sorted(symbols, key=symbol_order)


def _words(symbols: Iterable[Symbol], tags: Mapping[Symbol, tuple[str, ...]]) -> tuple[str, ...]:
    """The words; each with its tag where those of the arc do not all get the same."""
    several = len(set(tags.values())) > 1
    return tuple(show_symbol(s) + (f"/{tags_in_words(tags[s])}" if several else "") for s in _ordered(symbols))


def _tag_of(arc: ArcDifference) -> str:
    """What the words of an arc get on either side; nothing where no word of it ever gets a tag."""
    own = [{tag for tags in side.values() for tag in tags} for side in arc.tags]
    if not any(own[0] | own[1]):
        return ""
    sides = [", ".join(sorted(tag or NO_TAG for tag in tags)) for tags in own if tags]
    return " → ".join(dict.fromkeys(sides))
