"""The position automaton of a rule (Glushkov's construction): one state for each place where a word is read.

A position carries a set of symbols, so `(a | b | c)` is one position and there are no empty moves. Sets of
states are whole numbers with one bit a state: bit 0 is the start, bit p the state after reading position p.

BOS and EOS read no word. They are folded into the first and the last step: a run may begin behind a position
that reads BOS, and may end in front of one that reads EOS.
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.position_automaton import PositionAutomaton, accepts, bits
from re2nn_core.automata.subtraction import Subtracted, subtracted
from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    PUNCTUATION,
    START,
    Complement,
    Pattern,
    Symbol,
)
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    CaseWord,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Except,
    Lemma,
    Node,
    Number,
    Punctuation,
    ReadsOne,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
    children,
    walk,
)

__all__ = [
    "PositionAutomaton",
    "PositionBuilder",
    "accepts",
    "any_of",
    "bits",
    "build_positions",
    "long_list",
    "refuse_long_lists",
    "symbol_of",
]

POSITION_BUDGET = 20_000
LINK_BUDGET = 2_000_000  # a row of parts that may all be left out links each with each
MOST_POSITIONS = 100_000  # also where nothing is repeated: sets of positions take memory that grows with their square

_SPECIAL_OF = {Any: ANY, Number: NUMBER, Punctuation: PUNCTUATION, SentenceStart: START, SentenceEnd: END}


def build_positions(tree: Node, rule: str = "") -> PositionAutomaton:
    """The position automaton of an expanded tree. StateBudgetError past MOST_POSITIONS positions, or past
    POSITION_BUDGET where a part is repeated with a count."""
    return PositionBuilder(rule).automaton(tree)


class PositionBuilder:
    """Collects positions while it walks a tree; `build` gives (nullable, first, last) of a subtree.

    `outputs[p]` is what position p gives its word: None, unless `single` of a subclass tells more.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.symbols: list[frozenset[Symbol]] = [frozenset()]
        self.outputs: list[str | None] = [None]
        self.follow: list[int] = [0]
        self.links = 0

    def automaton(self, tree: Node) -> PositionAutomaton:
        """The automaton of a whole tree; a builder is used once. StateBudgetError past the budgets."""
        refuse_long_lists(tree, POSITION_BUDGET, self.rule)
        if sum(_places(node) for node in walk(tree)) > MOST_POSITIONS:
            raise StateBudgetError(MOST_POSITIONS, _whole(tree), self.rule)
        nullable, first, last = self.build(tree)
        self.follow[0] = first
        for anchor in (START, END):
            last = self._once(anchor, last)
        return PositionAutomaton(tuple(self.symbols), tuple(self.follow), last | (1 if nullable else 0))

    def _once(self, anchor: Symbol, last: int) -> int:
        """BOS behind BOS, or EOS behind EOS, holds where one of them does: what stands behind the second stands behind
        the first, too. Returns the states in which the expression may end."""
        places = sum(1 << state for state, symbols in enumerate(self.symbols) if anchor in symbols)
        if not places & (places - 1):
            return last
        for state in bits(places):
            reached = ahead = 1 << state
            while ahead:
                following = 0
                for place in bits(ahead):
                    following |= self.follow[place]
                self.follow[state] |= following
                ahead = following & places & ~reached
                reached |= ahead
            last |= 1 << state if reached & last else 0
        for state in bits(places):
            self.follow[state] &= ~places
        return last

    def single(self, node: Node) -> tuple[Symbol, str | None] | None:
        """Symbol and output of what reads exactly one word; None for anything else."""
        return (symbol_of(node), None) if isinstance(node, ReadsOne) else None

    def build(self, node: Node) -> tuple[bool, int, int]:
        if (single := self.single(node)) is not None:
            return self._position(frozenset((single[0],)), single[1])
        if isinstance(node, Concat):
            return self._concat(node.parts)
        if isinstance(node, Choice):
            return self._choice(node.options)
        if isinstance(node, Repeat):
            return self._repeat(node)
        if isinstance(node, Capture | Tagged):
            return self.build(node.inner)
        if isinstance(node, Empty):
            return True, 0, 0
        if isinstance(node, ButNot):
            return self._but_not(node)
        return self._position(frozenset((symbol_of(node),)), None)

    def part(self) -> PositionBuilder:
        """A builder as this one, for a part that is built by itself."""
        return type(self)(self.rule)

    def excluded(self, tree: Node) -> PositionAutomaton:
        """The places of what 'but not' leaves out, over the same symbols."""
        return build_positions(tree, self.rule)

    def _but_not(self, node: ButNot) -> tuple[bool, int, int]:
        """The places of the product: a place of what is matched, and what the excluded expression has read so far."""
        inner = self.part()
        automaton = inner.automaton(node.inner)
        left = subtracted(automaton, self.excluded(node.excluded), self.rule)
        self._check_size(left)
        shift = len(self.symbols) - 1  # place 0 is the start of the part alone
        for place in range(1, len(left.automaton)):
            self.symbols.append(left.automaton.symbols[place])
            self.outputs.append(inner.outputs[left.origins[place]])
            self.follow.append(left.automaton.follow[place] << shift)
        final = left.automaton.final
        return bool(final & 1), left.automaton.follow[0] << shift, (final & ~1) << shift

    def _check_size(self, left: Subtracted) -> None:
        if len(self.symbols) + len(left.automaton) > POSITION_BUDGET:
            raise StateBudgetError(POSITION_BUDGET, "the expression with what 'but not' leaves out", self.rule)

    def _position(self, symbols: frozenset[Symbol], output: str | None) -> tuple[bool, int, int]:
        bit = 1 << len(self.symbols)
        self.symbols.append(symbols)
        self.outputs.append(output)
        self.follow.append(0)
        return False, bit, bit

    def _link(self, last: int, first: int) -> None:
        self.links += last.bit_count()
        if self.links > LINK_BUDGET:
            what = "transitions between its words"
            raise StateBudgetError(LINK_BUDGET, "a long row of parts that may be left out", self.rule, what)
        follow = self.follow
        while last:
            lowest = last & -last
            follow[lowest.bit_length() - 1] |= first
            last ^= lowest

    def _concat(self, parts: tuple[Node, ...]) -> tuple[bool, int, int]:
        nullable, first, last = True, 0, 0
        for part in parts:
            part_nullable, part_first, part_last = self.build(part)
            self._link(last, part_first)
            if nullable:
                first |= part_first
            last = (last | part_last) if part_nullable else part_last
            nullable = nullable and part_nullable
        return nullable, first, last

    def _choice(self, options: tuple[Node, ...]) -> tuple[bool, int, int]:
        singles: dict[str | None, set[Symbol]] = {}
        others: list[Node] = []
        for option in options:
            if (single := self.single(option)) is None:
                others.append(option)
            else:
                singles.setdefault(single[1], set()).add(single[0])
        built = [self._position(frozenset(symbols), output) for output, symbols in singles.items()]
        return any_of([*built, *(self.build(option) for option in others)])

    def _repeat(self, node: Repeat) -> tuple[bool, int, int]:
        """x{2,4} is x x (x (x)?)?, x{2,} is x x*, with the loop on the last copy."""
        copies = node.most if node.most is not None else max(node.least, 1)
        nullable, first, last = True, 0, 0
        tails = 0  # ends of the copies after which the repeat may stop
        for copy in range(copies):
            if copy and len(self.symbols) > POSITION_BUDGET:
                raise StateBudgetError(POSITION_BUDGET, print_expression(node), self.rule)
            copy_nullable, copy_first, copy_last = self.build(node.inner)
            self._link(last, copy_first)
            if nullable:
                first |= copy_first
            if copy >= node.least:
                tails |= last
            last = (last | copy_last) if copy_nullable else copy_last
            nullable = nullable and copy_nullable
            if node.most is None and copy == copies - 1:
                self._link(copy_last, copy_first)
        return nullable or node.least == 0, first, last | tails


def any_of(built: Sequence[tuple[bool, int, int]]) -> tuple[bool, int, int]:
    """(nullable, first, last) of alternatives that were built."""
    nullable, first, last = False, 0, 0
    for option_nullable, option_first, option_last in built:
        nullable, first, last = nullable or option_nullable, first | option_first, last | option_last
    return nullable, first, last


def refuse_long_lists(tree: Node, budget: int, rule: str = "") -> None:
    """StateBudgetError for a list that needs more states than that alone, before any is made."""
    for node in _long_lists(tree):
        following: dict[Node, set[tuple[Node, ...]]] = {}
        for option in node.options:
            head, *rest = option.parts if isinstance(option, Concat) else (option,)
            for word in head.options if isinstance(head, Choice) else (head,):
                following.setdefault(word, set()).add(tuple(rest))
        # Behind words that different words follow, the automaton is in different states.
        own = {frozenset(rests) for rests in following.values() if not any(map(_may_end, rests))}
        if len(own) > budget and all(isinstance(_bare(head), Word) for head in following):
            raise StateBudgetError(budget, print_expression(node), rule)


def _bare(node: Node) -> Node:
    return node.inner if isinstance(node, Tagged) else node


def _may_end(parts: Sequence[Node]) -> bool:
    return all(isinstance(part, Repeat) and part.least == 0 for part in parts)


def long_list(tree: Node) -> Node | None:
    """The longest alternatives of a tree that are a list, None where there is none."""
    return max(_long_lists(tree), key=lambda one: len(one.options), default=None)


def _long_lists(tree: Node) -> list[Choice]:
    return [node for node in walk(tree) if isinstance(node, Choice) and len(node.options) > MOST_POSITIONS // 10]


def _whole(tree: Node) -> str:
    """A rule that is too large: what makes it so, where that is a list, in its notation."""
    found = long_list(tree)
    return "the rule as a whole" if found is None else print_expression(found)


def _places(node: Node) -> int:
    """How many positions a node adds to those of its parts; alternatives of one word are a position together, those of
    each tag in a tagged tree."""
    if isinstance(node, Choice):
        tags = [option.tag if isinstance(option, Tagged) else None for option in node.options if _reads_a_word(option)]
        return len(set(tags)) - len(tags)
    return 0 if children(node) or isinstance(node, Empty) else 1


def _reads_a_word(node: Node) -> bool:
    return not children(_bare(node))


def symbol_of(node: Node) -> Symbol:
    """The symbol that a leaf reads."""
    if isinstance(node, Word):
        return node.text
    if isinstance(node, ClassReference | Lemma | CaseWord):
        raise ValueError(f"{print_expression(node)} is not put in; build from Rule.expanded")
    if isinstance(node, WordPattern):
        return Pattern(node.text)
    if isinstance(node, Except):
        return Complement(map(symbol_of, node.members))
    return _SPECIAL_OF[type(node)]
