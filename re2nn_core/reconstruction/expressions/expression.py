"""From a minimal machine to an expression: state elimination (Brzozowski and McCluskey, 1963).

The state that lengthens the expression least goes first. What is put together is simplified on the way:
nothing is repeated twice, `x | x y` becomes `x y?`, `x x*` becomes `x+`, an empty alternative becomes `?`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    PUNCTUATION,
    START,
    ClassOfWords,
    Complement,
    Pattern,
    Symbol,
    symbol_order,
)
from re2nn_core.automata.word_sets import united
from re2nn_core.errors import TooLongError
from re2nn_core.reconstruction.expressions.repeats import fold_repeats
from re2nn_core.rules.tree import (
    Any,
    Choice,
    Concat,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
    WordPattern,
    children,
    choice,
    concat,
)
from re2nn_core.text.case_words import without_case
from re2nn_core.text.kinds import CASE
from re2nn_core.text.word_patterns.classes import patterns_of

# What no rule is that people read, nor one that can be read again. It is looked at on the way: the expression of a
# machine with an arc between any two of its states grows fourfold with each state that goes.
MOST_LEAVES = 500
MOST_FAILED = 3  # attempts
MOST_LEVELS = 250  # nodes inside each other; twice as many pass the depth to which Python calls itself

_NODE_OF: dict[Symbol, Node] = {
    ANY: Any(),
    NUMBER: Number(),
    PUNCTUATION: Punctuation(),
    START: SentenceStart(),
    END: SentenceEnd(),
}
SymbolsToNode = Callable[[frozenset[Symbol]], Node]

Join = Callable[[Node, Node], Node]


def expression_of(machine: PseudoDfa, to_node: SymbolsToNode | None = None) -> Node | None:
    """An expression for the machine's language; None if it accepts nothing. `to_node` writes the symbols of an
    arc (long sets may become word classes)."""
    write = to_node or symbols_node
    arcs = ((source, target, write(symbols)) for source, target, symbols in machine.arcs())
    tree = expression_of_arcs(len(machine), arcs, machine.finals, join=either)
    return None if tree is None else fold_repeats(tree)


def attempted_expressions(
    states: int,
    arcs: Sequence[tuple[int, int, Node]],
    finals: Collection[int],
    attempts: Iterable[tuple[Sequence[int], Join | None]],
) -> list[Node | None]:
    """`expression_of_arcs` with each order and joining, as far as they are short enough. TooLongError where the first
    few are all too long: the others hardly ever are shorter, and each takes its time."""
    found: list[Node | None] = []
    too_long: list[TooLongError] = []
    for order, join in attempts:
        try:
            found.append(expression_of_arcs(states, arcs, finals, order, join))
        except TooLongError as error:
            too_long.append(error)
        if not found and len(too_long) == MOST_FAILED:
            break
    if too_long and not found:
        raise too_long[0]
    return found


def expression_of_arcs(
    states: int,
    joined: Iterable[tuple[int, int, Node]],
    finals: Collection[int],
    order: Sequence[int] = (),
    join: Join | None = None,
) -> Node | None:
    """An expression for what leads from state 0 to a final one; arcs are (source, target, what is read). `order`: the
    states in the order in which they go, where it is not to be the one that lengthens the expression least.
    TooLongError past MOST_LEAVES or MOST_LEVELS on the way."""
    join = join or either_shorter
    arcs: dict[int, dict[int, Node]] = {state: {} for state in range(-1, states + 1)}
    end = states
    for source, target, node in joined:
        known = arcs[source].get(target)
        arcs[source][target] = node if known is None else join(known, node)
    arcs[-1][0] = Empty()
    for state in finals:
        arcs[state][end] = Empty()
    waiting = set(range(states))
    while waiting:
        state = order[-len(waiting)] if order else min(waiting, key=lambda s: (_cost(arcs, s), s))
        waiting.remove(state)
        for changed in _eliminate(arcs, state, join):
            if why := _too_long(changed):
                raise TooLongError(states, why)
    return arcs[-1].get(end)


def symbols_node(symbols: frozenset[Symbol]) -> Node:
    """The alternatives in their order; `$` stands for every other that reads a word."""
    kept = symbols & {ANY, START, END} if ANY in symbols else united(symbols)
    # A plain word is read in every spelling.
    own = {symbol for symbol in kept if isinstance(symbol, str) and symbol.startswith(CASE)}
    kept -= {symbol for symbol in own if without_case(symbol) in kept}
    return choice([node_of_symbol(symbol) for symbol in sorted(kept, key=symbol_order)])


def node_of_symbol(symbol: Symbol) -> Node:
    """The leaf that reads a symbol. Numbers or punctuation but some have none: theirs reads all of these; and a class
    of words that several patterns tell apart is read by one that holds for it."""
    if isinstance(symbol, Pattern):
        return WordPattern(symbol.text)
    if isinstance(symbol, ClassOfWords):
        return WordPattern(min(patterns_of(symbol.of)))
    if isinstance(symbol, Complement):
        if symbol.base is not ANY:
            return _NODE_OF[symbol.base]
        return Except(tuple(node_of_symbol(out) for out in sorted(symbol.but, key=symbol_order)))
    return Word(symbol) if isinstance(symbol, str) else _NODE_OF[symbol]


def _eliminate(arcs: dict[int, dict[int, Node]], state: int, join: Join) -> Iterator[Node]:
    """Take a state out; what is now read on each arc that leads past it."""
    leaving = arcs.pop(state)
    loop = leaving.pop(state, None)
    for targets in arcs.values():
        into = targets.pop(state, None)
        if into is None:
            continue
        for target, out in leaving.items():
            path = in_a_row([into, repeat(loop) if loop is not None else Empty(), out])
            known = targets.get(target)
            targets[target] = path if known is None else join(known, path)
            yield targets[target]


def _too_long(node: Node) -> str:
    """What a node has too much of, empty for nothing; found out without calls inside each other."""
    leaves, level = 0, [node]
    for _ in range(MOST_LEVELS):
        below = [children(parent) for parent in level]
        leaves += sum(not parts for parts in below)
        level = [child for parts in below for child in parts]
        if not level:
            return ""
        if leaves + len(level) > MOST_LEAVES:
            return f"more than {MOST_LEAVES:,} words and signs"
    return f"more than {MOST_LEVELS:,} groups inside each other"


def _cost(arcs: dict[int, dict[int, Node]], state: int) -> int:
    """How much the expressions grow when the state goes (Delgado and Morais' weight)."""
    leaving = {target: node for target, node in arcs[state].items() if target != state}
    entering = [targets[state] for source, targets in arcs.items() if source != state and state in targets]
    loop = arcs[state].get(state)
    ins, outs = len(entering), len(leaving)
    size_in = sum(size(node) for node in entering)
    size_out = sum(size(node) for node in leaving.values())
    return size_in * (outs - 1) + size_out * (ins - 1) + (size(loop) if loop is not None else 0) * (ins * outs - 1)


def size(node: Node) -> int:
    """Number of leaves."""
    if isinstance(node, Concat):
        return sum(map(size, node.parts))
    if isinstance(node, Choice):
        return sum(map(size, node.options))
    return size(node.inner) if isinstance(node, Repeat) else 1


def depth(node: Node) -> int:
    """How deeply groups are nested."""
    return 1 + max(map(depth, children(node)), default=0)


def repeat(node: Node) -> Node:
    """Any number of times."""
    if isinstance(node, Empty):
        return node
    if isinstance(node, Repeat) and node.least <= 1:
        return Repeat(node.inner, 0, None)
    if isinstance(node, Choice):
        kept = [option.inner if isinstance(option, Repeat) and option.least <= 1 else option for option in node.options]
        node = _absorb_any(choice([option for option in kept if not isinstance(option, Empty)]))
    return Repeat(node, 0, None)


def _absorb_any(node: Node) -> Node:
    """Under a star, `$` makes every other alternative pointless: each of them is read by `$` word by word."""
    if isinstance(node, Choice) and Any() in node.options and all(_reads_words(o) for o in node.options):
        return Any()
    return node


def _reads_words(node: Node) -> bool:
    """Whether the node can only read sequences of words, BOS and EOS aside."""
    if isinstance(node, SentenceStart | SentenceEnd):
        return False
    if isinstance(node, Concat):
        return all(map(_reads_words, node.parts))
    if isinstance(node, Choice):
        return all(map(_reads_words, node.options))
    return _reads_words(node.inner) if isinstance(node, Repeat) else True


def in_a_row(parts: list[Node]) -> Node:
    """Parts in a row, with `x x*` as `x+` and `x* x*` as `x*`."""
    row: list[Node] = []
    for part in parts:
        for item in part.parts if isinstance(part, Concat) else (part,):
            if isinstance(item, Empty):
                continue
            joined = _join(row[-1], item) if row else None
            if joined is None:
                row.append(item)
            else:
                row[-1] = joined
    return concat(row)


def _join(left: Node, right: Node) -> Node | None:
    star_left, star_right = _starred(left), _starred(right)
    if star_left is not None and star_left == star_right:
        return left
    if star_right is not None and star_right == left:
        return Repeat(left, 1, None)
    if star_left is not None and star_left == right:
        return Repeat(right, 1, None)
    return None


def _starred(node: Node) -> Node | None:
    return node.inner if isinstance(node, Repeat) and (node.least, node.most) == (0, None) else None


def either(left: Node, right: Node) -> Node:
    """One or the other, common beginnings and ends taken out."""
    if left == right:
        return left
    options = [*_options(left), *_options(right)]
    filled: list[Node] = list(dict.fromkeys(option for option in options if not isinstance(option, Empty)))
    optional = len(filled) < len(set(options))
    if not filled:
        return Empty()
    joined = _factored(filled)
    return _optional(joined) if optional else joined


def either_shorter(left: Node, right: Node) -> Node:
    """As `either`; a row that begins or ends with the other one is that one and an optional rest. For small machines
    alone: on large ones it takes very long."""
    if left == right:
        return left
    for short, long in ((left, right), (right, left)):
        if (rest := _without_head(long, short)) is not None:
            return in_a_row([short, _optional(rest)])
        if (rest := _without_tail(long, short)) is not None:
            return in_a_row([_optional(rest), short])
    return either(left, right)


def _without_head(long: Node, head: Node) -> Node | None:
    """What follows `head` where a row begins with it and goes on, else None."""
    row, parts = _row(long), _row(head)
    if isinstance(head, Empty) or not len(parts) < len(row) or row[: len(parts)] != parts:
        return None
    return concat(list(row[len(parts) :]))


def _without_tail(long: Node, tail: Node) -> Node | None:
    row, parts = _row(long), _row(tail)
    if isinstance(tail, Empty) or not len(parts) < len(row) or row[-len(parts) :] != parts:
        return None
    return concat(list(row[: -len(parts)]))


def _row(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Concat) else (node,)


def _options(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Choice):
        return node.options
    if isinstance(node, Repeat) and (node.least, node.most) == (0, 1):
        return (Empty(), *_options(node.inner))
    return (node,)


def _optional(node: Node) -> Node:
    if isinstance(node, Repeat) and node.least == 0:
        return node
    if isinstance(node, Repeat) and (node.least, node.most) == (1, None):
        return Repeat(node.inner, 0, None)
    return Repeat(node, 0, 1)


def _factored(options: list[Node]) -> Node:
    if len(options) == 1:
        return options[0]
    rows = [_row(option) for option in options]
    head = 0
    while all(len(row) > head for row in rows) and len({row[head] for row in rows}) == 1:
        head += 1
    tail = 0
    while all(len(row) > head + tail for row in rows) and len({row[-1 - tail] for row in rows}) == 1:
        tail += 1
    if head == 0 and tail == 0:
        return choice(options)
    first = rows[0]
    middles = [concat(list(row[head : len(row) - tail])) for row in rows]
    middle = middles[0]
    for other in middles[1:]:
        middle = either(middle, other)
    return in_a_row([*first[:head], middle, *first[len(first) - tail :]])
