"""Which rules accept which sentences, for many of both.

Few sentences are read by one deterministic machine, the product of all rules' exact machines, whose rows are made when
first needed and kept: a sentence costs one look-up a word, whatever the number of rules. Many are read by compiled code
(word_walk.py) that makes no rows. Words that no machine tells apart share one code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.determinize import exact_from_positions
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.automata.word_codes import CodedSentences, Sentence, word_codes
from re2nn_core.automata.word_walk import Matched, WordWalk, compiled_walk, is_compiled
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node

ROW_LIMIT = 200_000  # product states kept before it starts anew
MATCH_BUDGET = 2_000  # states of one rule; past it the positions are run instead
CHUNK = 1024  # sentences between two looks at that limit
# Moves of the product (about 20 µs each to make) from which compiled code pays: loading it takes 0.4 s and 120 MB, and
# a second more at its very first use. Where rules have few states hardly a move is made after the first thousand
# sentences. A call of it takes less than a millisecond: that of so many steps.
LOADING_MOVES = 20_000
CALL_STEPS = 5_000


class ProductRow(dict[int, "ProductRow"]):
    """A state of the product: next states by code, made when first asked for. `away` are the states of the machines
    that are not in their home state."""

    __slots__ = ("away", "moves", "number", "owner")

    def __init__(self, owner: Matcher, away: tuple[int, ...], number: int) -> None:
        super().__init__()
        self.owner, self.away, self.number = owner, away, number
        self.moves: tuple[tuple[ProductRow, int], ...] | None = None

    def __missing__(self, code: int) -> ProductRow:
        row = self[code] = self.owner.row_behind(self.away, code)
        return row


class Matcher:
    """The product of exact machines, made row by row as sentences need it.

    A machine's state is the place of its row in one flat table of all machines. Most machines are most of the time
    where unnamed words leave them, their home; a product state lists only the others, so that it stays short when
    there are thousands of rules.
    """

    def __init__(self, machines: Sequence[ExactDfa]) -> None:
        self._codes = word_codes(machines)
        self._machines = len(machines)
        self._flat: list[int] = []
        self._owner: list[int] = []  # the machine of each place of the flat table
        self._final: set[int] = set()
        starts, homes = [], []
        for number, machine in enumerate(machines):
            begin, width = len(self._flat), len(machine.table[0])
            self._flat += _flat_rows(machine, begin)
            self._owner += [number] * (len(self._flat) - begin)
            self._final |= {begin + state * width for state in machine.finals}
            starts.append(begin)
            homes.append(self._home(begin, len(machine)))
        self._homes = homes
        self._home_final = [machine for machine, home in enumerate(homes) if home in self._final]
        self._named = [dict(pairs) for pairs in self._codes.columns]
        by_kind = [self._leaving(kind, range(len(machines)), {}) for kind in range(OTHER_COLUMNS)]
        self._leave = [
            [move for move in by_kind[kind] if move[0] not in named] + self._leaving(kind, named, named)
            for kind, named in zip(self._codes.kinds, self._named, strict=True)
        ]
        self._away_at_start = tuple(start for start, home in zip(starts, homes, strict=True) if start != home)
        self._starts = starts
        self._made = 0  # moves of the product, those included that were forgotten
        self._forget()

    @cached_property
    def _walk(self) -> WordWalk:
        return WordWalk(self._flat, self._starts, self._final, self._codes)

    def _home(self, start: int, steps: int) -> int:
        state = start
        for _ in range(steps):
            state = self._flat[state]
        return state

    def _leaving(self, kind: int, machines: Iterable[int], named: dict[int, int]) -> list[tuple[int, int]]:
        """(machine, state) for the machines whose home a word leads out of."""
        moves = ((m, self._flat[self._homes[m] + named.get(m, kind)]) for m in machines)
        return [(machine, state) for machine, state in moves if state != self._homes[machine]]

    def _forget(self) -> None:
        self._rows: dict[tuple[int, ...], ProductRow] = {}
        self._first = self._intern(self._away_at_start)

    def _intern(self, away: tuple[int, ...]) -> ProductRow:
        row = self._rows.get(away)
        if row is None:
            row = self._rows[away] = ProductRow(self, away, len(self._rows))
        return row

    def row_behind(self, away: tuple[int, ...], code: int) -> ProductRow:
        """The product state behind a word of the code."""
        flat, owner, homes = self._flat, self._owner, self._homes
        self._made += 1
        named, kind = self._named[code], self._codes.kinds[code]
        following = []
        moved = set()
        for state in away:
            machine = owner[state]
            moved.add(machine)
            target = flat[state + named.get(machine, kind)]
            if target != homes[machine]:
                following.append(target)
        following += [target for machine, target in self._leave[code] if machine not in moved]
        following.sort()
        return self._intern(tuple(following))

    @property
    def start(self) -> ProductRow:
        """The product state in front of the first word; what is behind a word of a code is `row[code]`."""
        return self._first

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return len(self._codes.kinds)

    @property
    def named_words(self) -> Mapping[str, int]:
        """The words that some machine names, with their codes; the codes 0, 1 and 2 stand for all others."""
        return self._codes.code_of

    def moves(self, row: ProductRow) -> tuple[tuple[ProductRow, int], ...]:
        """The product states behind a word, each with the smallest code that leads there; kept with the row."""
        if row.moves is None:
            found: dict[int, tuple[ProductRow, int]] = {}
            for code in range(self.codes):
                after = row[code]
                found.setdefault(id(after), (after, code))
            row.moves = tuple(found.values())
        return row.moves

    def matched_in(self, row: ProductRow) -> tuple[int, ...]:
        """The machines that accept a sentence which ends in a product state."""
        return tuple(sorted(self._matched_in(row.away)))

    def encode(self, sentences: Sequence[Sentence]) -> list[list[int]]:
        """Codes of the words of each sentence."""
        return self._codes.encode(sentences)

    def encode_together(self, sentences: Sequence[Sentence]) -> CodedSentences:
        """Codes of the words of all sentences."""
        return self._codes.encode_together(sentences)

    def matched(self, sentences: Sequence[Sentence]) -> Matched:
        """[sentences, rules]: True where the rule accepts the sentence."""
        return self.matched_codes(self.encode_together(sentences))

    def matched_codes(self, coded: CodedSentences) -> Matched:
        """The same for encoded sentences."""
        result = np.zeros((len(coded), self._machines), dtype=np.bool_)
        for begin in range(0, len(coded), CHUNK):
            if (is_compiled() or self._made >= LOADING_MOVES) and self._walked(coded.behind(begin), result[begin:]):
                break
            self._match_by_rows(coded, begin, result)
        return result

    def _walked(self, coded: CodedSentences, result: Matched) -> bool:
        """Whether sentences were matched by compiled code: where there is some, and where there is enough to do."""
        walk = compiled_walk()
        if walk is None or self._walk.steps(coded) < CALL_STEPS:
            return False
        result[:] = self._walk.matched(coded, walk)
        return True

    def matched_by_rows(self, coded: CodedSentences) -> Matched:
        """The same without compiled code."""
        result = np.zeros((len(coded), self._machines), dtype=np.bool_)
        for begin in range(0, len(coded), CHUNK):
            self._match_by_rows(coded, begin, result)
        return result

    def _match_by_rows(self, coded: CodedSentences, begin: int, result: Matched) -> None:
        """The next sentences from `begin` on."""
        if len(self._rows) > ROW_LIMIT:
            self._forget()
        ends = coded.ends[begin : begin + CHUNK + 1].tolist()
        codes, first, rows = coded.codes[ends[0] : ends[-1]].tolist(), ends[0], []
        for start, end in pairwise(ends):
            row = self._first
            for code in codes[start - first : end - first]:
                row = row[code]
            rows.append(row)
        self._fill(result[begin : begin + CHUNK], rows)

    def _fill(self, result: Matched, ends: list[ProductRow]) -> None:
        sentences: list[int] = []
        rules: list[int] = []
        known: dict[int, list[int]] = {}
        for sentence, row in enumerate(ends):
            matched = known.get(row.number)
            if matched is None:
                matched = known[row.number] = self._matched_in(row.away)
            sentences += [sentence] * len(matched)
            rules += matched
        result[sentences, rules] = True

    def _matched_in(self, away: tuple[int, ...]) -> list[int]:
        matched = [self._owner[state] for state in away if state in self._final]
        if self._home_final:
            moved = {self._owner[state] for state in away}
            matched += [machine for machine in self._home_final if machine not in moved]
        return matched


def _flat_rows(machine: ExactDfa, begin: int) -> list[int]:
    """The machine's table row by row, states as places in the flat table; its dead state comes last."""
    width, dead = len(machine.table[0]), len(machine)
    rows = [*machine.table, (dead,) * width]
    return [begin + width * (dead if state == DEAD else state) for row in rows for state in row]


class RuleMatcher:
    """Rules as expanded trees, in their order. A rule whose exact machine passes the budget is run on its positions
    instead: slower, but no rule stops the others."""

    def __init__(self, trees: Sequence[Node], names: Sequence[str] = ()) -> None:
        self._machines: dict[int, ExactDfa] = {}
        self._large: dict[int, PositionAutomaton] = {}
        for place, tree in enumerate(trees):
            name = names[place] if names else ""
            automaton = build_positions(tree, name)
            try:
                self._machines[place] = exact_from_positions(automaton, budget=MATCH_BUDGET, rule=name)
            except StateBudgetError:
                self._large[place] = automaton
        self._matcher = Matcher(list(self._machines.values()))

    @property
    def matcher(self) -> Matcher:
        """The product of all rules that are not large, in their order."""
        return self._matcher

    @property
    def large(self) -> tuple[int, ...]:
        """The places of the rules that are run on their positions."""
        return tuple(self._large)

    def matched(self, sentences: Sequence[Sentence]) -> Matched:
        """[sentences, rules]: True where the rule accepts the sentence."""
        matched = self._matcher.matched(sentences)
        if not self._large:
            return matched
        result = np.zeros((len(sentences), len(self._machines) + len(self._large)), dtype=np.bool_)
        result[:, list(self._machines)] = matched
        for place, automaton in self._large.items():
            result[:, place] = [accepts(automaton, sentence) for sentence in sentences]
        return result


def build_matcher(rules: Sequence[Rule]) -> RuleMatcher:
    """A matcher for rules, in their order. StateBudgetError only for a rule of too many positions."""
    return RuleMatcher([rule.expanded for rule in rules], [rule.name for rule in rules])
