"""From a position automaton to minimal deterministic machines: the subset construction over columns.

Exact machines drop a position from a subset where another member can do all that it can (simulation): the
subset accepts the same, and far fewer subsets appear. The cheap case is always used: a member that accepts
everything from here on makes the rest of the subset pointless. The full preorder is computed only when the
subsets pass PRUNE_FROM, and PRUNE_FACTOR times the positions: it costs more than so many subsets do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from re2nn_core.automata.alphabet import OTHER_COLUMNS, group_by_key
from re2nn_core.automata.blame import smallest_part
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa, table_of_moves
from re2nn_core.automata.minimize import Moves, minimize_moves, minimize_table
from re2nn_core.automata.positions import PositionAutomaton, bits, build_positions, long_list
from re2nn_core.automata.simulation import dominated_by, everything_accepting
from re2nn_core.automata.symbols import symbol_order
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Node

STATE_BUDGET = 20_000
PRUNE_FROM = 64
PRUNE_FACTOR = 4
PRUNE_LIMIT = 1_500  # positions; the preorder compares each with each, which takes seconds from here on
BLAME_BUDGET = 2_000
MANY_COLUMNS = 256  # from here on only those that a state may read are looked at

Reduce = Callable[[int], int]


class _TooManyStates(Exception):  # noqa: N818 - control flow inside this module
    pass


def pseudo_dfa(tree: Node, *, budget: int = STATE_BUDGET, rule: str = "") -> PseudoDfa:
    """The minimal pseudo deterministic machine of an expanded tree; StateBudgetError past the budget."""
    return pseudo_from_positions(build_positions(tree, rule), tree=tree, budget=budget, rule=rule)


def pseudo_from_positions(
    automaton: PositionAutomaton, *, tree: Node | None = None, budget: int = STATE_BUDGET, rule: str = ""
) -> PseudoDfa:
    """The same from a position automaton, however it was made. StateBudgetError past the budget."""
    positions = automaton.positions_of
    ordered = sorted(positions, key=symbol_order)
    groups = group_by_key((symbol, positions[symbol]) for symbol in ordered)
    masks = [mask for _, mask in groups]
    try:
        rows, finals = _subsets(automaton.follow, 1, automaton.final, masks, budget, None)
    except _TooManyStates:
        raise StateBudgetError(budget, _culprit(tree, budget, exact=False), rule) from None
    moves, final_rows = minimize_moves(rows, finals)
    used = {c: place for place, c in enumerate(sorted({c for row in moves for c, _ in row}))}
    alphabet = tuple(groups[column][0] for column in used)
    named = tuple(tuple((used[column], target) for column, target in row) for row in moves)
    return PseudoDfa(alphabet, named, frozenset(final_rows))


def exact_dfa(tree: Node, *, budget: int = STATE_BUDGET, rule: str = "") -> ExactDfa:
    """The minimal exact machine of an expanded tree; StateBudgetError past the budget."""
    return exact_from_positions(build_positions(tree, rule), tree=tree, budget=budget, rule=rule)


def exact_from_positions(
    automaton: PositionAutomaton, *, tree: Node | None = None, budget: int = STATE_BUDGET, rule: str = ""
) -> ExactDfa:
    """The same from a position automaton, however it was made. StateBudgetError past the budget."""
    masks, alphabet = exact_columns(automaton)
    final = automaton.sentence_final
    start = automaton.sentence_start
    everything = everything_accepting(automaton)

    def cheap(states: int) -> int:
        universal = states & everything
        return universal & -universal if universal else states

    enough = min(budget, max(PRUNE_FROM, PRUNE_FACTOR * len(automaton)))
    try:
        moves, finals = _subsets(automaton.follow, start, final, masks, enough, cheap)
    except _TooManyStates:
        reduce = _full_reduction(automaton, masks) or cheap
        try:
            moves, finals = _subsets(automaton.follow, start, final, masks, budget, reduce)
        except _TooManyStates:
            raise StateBudgetError(budget, _culprit(tree, budget, exact=True), rule) from None
    rows, final_rows = minimize_table(table_of_moves(moves, len(masks)), finals)
    return ExactDfa(alphabet, tuple(map(tuple, rows)), frozenset(final_rows))


def _full_reduction(automaton: PositionAutomaton, masks: Sequence[int]) -> Reduce | None:
    """What drops positions by the full preorder; None for an automaton too large for it."""
    return dominated_by(automaton, masks) if len(automaton) <= PRUNE_LIMIT else None


def exact_columns(automaton: PositionAutomaton) -> tuple[list[int], tuple[frozenset[str], ...]]:
    """For each column of an exact machine the positions that it enters; then the words of the named columns."""
    kinds = [automaton.entered_by_unnamed(kind) for kind in range(OTHER_COLUMNS)]
    keyed = [(word, automaton.entered_by(word)) for word in sorted(automaton.words)]
    groups = group_by_key(keyed)
    return [*kinds, *(mask for _, mask in groups)], tuple(words for words, _ in groups)


def _subsets(
    follow: Sequence[int], start: int, final: int, masks: Sequence[int], budget: int, reduce: Reduce | None
) -> tuple[list[Moves], set[int]]:
    """The moves of each deterministic state over the given columns, and the final states."""
    first = reduce(start) if reduce else start
    numbers = {first: 0}
    queue = [first]
    rows: list[Moves] = []
    columns = _columns_entering(masks)
    for states in queue:
        following = 0
        remaining = states
        while remaining:
            lowest = remaining & -remaining
            following |= follow[lowest.bit_length() - 1]
            remaining ^= lowest
        row = []
        for column in columns(following):
            target = following & masks[column]
            if not target:
                continue
            if reduce:
                target = reduce(target)
            number = numbers.get(target)
            if number is None:
                number = numbers[target] = len(numbers)
                if number >= budget:
                    raise _TooManyStates
                queue.append(target)
            row.append((column, number))
        rows.append(tuple(row))
    return rows, {number for states, number in numbers.items() if states & final}


def _columns_entering(masks: Sequence[int]) -> Callable[[int], Iterable[int]]:
    """From positions to the columns that may enter one of them, in order. Lists of many words have thousands of columns
    of which a state reads few."""
    every = range(len(masks))
    if len(masks) < MANY_COLUMNS:
        return lambda following: every
    of: dict[int, list[int]] = {}
    for column, mask in enumerate(masks):
        for position in bits(mask):
            of.setdefault(position, []).append(column)

    def entering(following: int) -> Iterable[int]:
        entered = [of[position] for position in bits(following) if position in of]
        few = sum(map(len, entered)) < len(masks) // 2
        return sorted(set(chain.from_iterable(entered))) if few else every

    return entering


def _culprit(tree: Node | None, budget: int, *, exact: bool) -> str:
    """The smallest part found that alone passes the budget (or a smaller one, so that the search ends soon)."""
    if tree is None:
        return "the rule as a whole"
    if (found := long_list(tree)) is not None:  # it need not be looked for in its parts, one by one
        return print_expression(found)
    return print_expression(smallest_part(tree, lambda part: _passes(part, budget, exact=exact)))


def _passes(tree: Node, budget: int, *, exact: bool) -> bool:
    automaton = build_positions(tree)
    # A part that is merely long has few states a position: it multiplies nothing.
    budget = min(budget, max(BLAME_BUDGET, PRUNE_FACTOR * len(automaton)))
    try:
        if exact:
            masks, _ = exact_columns(automaton)
            reduce = _full_reduction(automaton, masks)
            _subsets(automaton.follow, automaton.sentence_start, 0, masks, budget, reduce)
        else:
            masks = list(set(automaton.positions_of.values()))
            _subsets(automaton.follow, 1, automaton.final, masks, budget, None)
    except _TooManyStates:
        return True
    return False
