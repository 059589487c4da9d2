"""One slot rule, or all rules of a slot, as a transducer to look at: its sizes on the way from expression to network,
and a sentence in it, word by word with the tags that it may get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.automata.independent import AnyTransducer, IndependentTransducer, independent
from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import Symbol, show_symbols
from re2nn_core.automata.transducer import Transducer, minimal_transducer, position_transducer, transducer_union
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.explain.rule_paths import Move, transducer_path
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import WILDCARD, slots_of
from re2nn_core.rules.tree import Node, choice, walk
from re2nn_core.services.automaton_views.classification.views import VIEW_BUDGET, StageSize
from re2nn_core.services.automaton_views.positions import viewed_positions
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.tensors.factors import rank_one_blocks


@dataclass(frozen=True)
class TagMachineView:
    """A rule, or all rules that name a slot. `transducer` is the paper's FST, `independent` its i-FST; both are None
    past the budget, and `refusal` says why. `positions` are None where there are too many to draw."""

    name: str
    expression: str
    transducer: Transducer | None
    independent: IndependentTransducer | None
    refusal: str
    sizes: tuple[StageSize, ...]
    positions: Transducer | None


def view_slot_rule(system: SlotSystem, name: str) -> TagMachineView:
    """The machine of one rule. InputError names the rules there are."""
    trees = dict(system.trees)
    if name not in trees:
        raise InputError(f"There is no rule {name!r}. The rules are: {', '.join(system.rule_names)}.")
    written = next(rule.tree for rule in system.ruleset.rules if rule.name == name)
    return _view(name, written, trees[name])


def view_slot(system: SlotSystem, slot: str) -> TagMachineView:
    """The machine of all rules that name a slot. InputError names the slots there are."""
    pairs = zip(system.ruleset.rules, system.trees, strict=True)
    naming = [(rule.tree, tree) for rule, (_, tree) in pairs if slot in slots_of([tree])]
    if not naming:
        raise InputError(f"No rule names the slot {slot!r}. The slots are: {', '.join(system.slots)}.")
    return _view(slot, choice([written for written, _ in naming]), transducer_union([tree for _, tree in naming]))


def _view(name: str, written: Node, tree: Node) -> TagMachineView:
    positions = position_transducer(tree, name)
    found, refusal = transducer_of_tree(tree, name)
    split = None if found is None else independent(found)
    sizes = (
        StageSize("expression", sum(1 for _ in walk(written)), "words and signs of the rule as written"),
        StageSize("positions", len(positions) - 1, "word positions, each with its tag"),
        StageSize(
            "FST states",
            None if found is None else len(found),
            "states of the minimal transducer, tags on its transitions",
        ),
        StageSize("i-FST states", None if split is None else len(split), "states where each has one tag for all words"),
        StageSize(
            "rank",
            None if split is None else len(rank_one_blocks(_Joined(split))),
            "columns of its factors, without the wildcard",
        ),
    )
    return TagMachineView(name, print_expression(written), found, split, refusal, sizes, viewed_positions(tree, name))


def transducer_of_tree(tree: Node, name: str) -> tuple[Transducer | None, str]:
    """The transducer of a tagged rule alone; None, with why, where it is past the budget."""
    try:
        return minimal_transducer(tree, budget=VIEW_BUDGET, rule=name), ""
    except StateBudgetError as error:
        return None, str(error)


@dataclass(frozen=True)
class _Joined:
    """An independent transducer as factors are made from it."""

    machine: IndependentTransducer

    def __len__(self) -> int:
        return len(self.machine)

    @property
    def sentence_start(self) -> int:
        return self.machine.sentence_start

    @property
    def sentence_final(self) -> int:
        return self.machine.sentence_final

    def arcs(self) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
        return ((arc.source, arc.target, arc.symbols) for arc in self.machine.arcs)


@dataclass(frozen=True)
class TagStep:
    """After `word` (None before the first) the states in `alive` are alive; `arcs` are the (source, target) pairs that
    were walked. `tags`: what ways through the whole sentence give the word, in a sentence that is accepted; else what
    the arcs walked give it. The wildcard is left out."""

    word: str | None
    alive: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class TagTrace:
    """The steps of a run, one more than the sentence has words unless it died at the word `died_at`."""

    steps: tuple[TagStep, ...]
    accepted: bool
    died_at: int | None


def trace_tags(machine: AnyTransducer, sentence: Sequence[str]) -> TagTrace:
    """A sentence through a transducer."""
    sets = tag_sets(machine, sentence)
    states = machine.sentence_start
    steps = [TagStep(None, tuple(bits(states)), (), ())]
    for number, word in enumerate(sentence):
        following = machine.step(states, word)
        arcs = tuple((s, t) for s in bits(states) for t in bits(machine.step(1 << s, word)))
        given = sets[number] if sets is not None else machine.step_back(states, following, word)[1]
        steps.append(TagStep(word, tuple(bits(following)), arcs, tuple(sorted(given - {WILDCARD}))))
        if not following:
            return TagTrace(tuple(steps), accepted=False, died_at=number)
        states = following
    return TagTrace(tuple(steps), accepted=sets is not None, died_at=None)


def whole_tag_path(machine: AnyTransducer, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """One way of an accepted sentence through a transducer, the one that names most words."""
    return transducer_path(machine.transducer if isinstance(machine, IndependentTransducer) else machine, sentence)


def expected_words(machine: AnyTransducer, states: Sequence[int]) -> list[str]:
    """What some of these states can read next, as people read it."""
    alive = frozenset(states)
    readable = [arc.symbols for arc in machine.arcs if arc.source in alive]
    return show_symbols(frozenset().union(*readable)) if readable else []


def marks_words(machine: AnyTransducer, sentence: Sequence[str]) -> bool:
    """Whether the machine accepts the sentence and gives some word a tag of a slot."""
    sets = tag_sets(machine, sentence)
    return sets is not None and any(tag[:2] in ("B-", "I-") for tags in sets for tag in tags)
