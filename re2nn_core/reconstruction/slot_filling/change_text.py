"""What was done to a rule, in words. A tag is told by what it does, as in the legend of the review: it begins a slot,
or continues one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from re2nn_core.automata.symbols import ANY, Symbol, complements_of, show_symbols
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine
from re2nn_core.reconstruction.slot_filling.proposed_changes import ProposedChange
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

Came = dict[int, frozenset[Symbol]]  # words that changes before brought, by place
FEW = 6  # words that are reported one by one


def changes_in_words(written: RuleMachine, changes: Sequence[ProposedChange]) -> Iterator[str]:
    """A sentence for each change of a rule, in their order. A place is told by words that stood there before all of
    them: what the rule only just learned says nothing of where."""
    before = written
    came: Came = {}
    for change in changes:
        yield f"{_in_words(before, change, came)} ({counted(change.gain, 'error')} fewer)"
        if change.move.kind == "words":
            there = came.get(change.move.place, frozenset())
            came[change.move.place] = there | frozenset(change.words or ())
        before = change.machine


def _in_words(before: RuleMachine, change: ProposedChange, came: Came) -> str:
    move, words = change.move, change.words
    here = _place(before, move.place, came)
    if move.kind == "words":
        return f"also matches {'any word ($)' if words is None else _some(words)} where it matches {here}"
    if move.kind == "fewer":
        excepted = complements_of(change.machine.symbols[move.place])
        if words is None or excepted or ANY not in before.symbols[move.place]:
            return _no_longer(before, move.place, words or (), came)
        return f"matches only {_some(words)} where it matched {here}"
    if move.kind == "tag":
        who = here if words is None else f"{_some(words)} among {here}"
        return f"{who}: {_now(move.tag)}"
    if move.kind == "begin":
        return f"a sentence may begin after {here}, which is optional there"
    if move.kind == "end":
        return f"a sentence may end after {here}"
    behind = "at the beginning" if move.place == 0 else f"after {here}"
    what = _place(before, move.target, came) if words is None else _some(words)
    output = "" if words is None else _tagged(before.outputs[move.target])
    return f"{what} is allowed {behind}{output}"


def _no_longer(before: RuleMachine, place: int, words: Iterable[Symbol], came: Came) -> str:
    """The words that go from a place; the place is reported where another one names them too."""
    removed, output = frozenset(words), before.outputs[place]
    tag = _tagged(output)
    elsewhere = any(removed & frozenset(symbols) for at, symbols in enumerate(before.symbols) if at != place)
    at = f" where it matches {_place(before, place, came)}" if elsewhere else tag
    return f"no longer matches {_listed(removed)}{at}"


def _place(machine: RuleMachine, place: int, came: Came) -> str:
    """A place by what it reads and gives; words that `came` since are left out where others stand there."""
    there = frozenset(machine.symbols[place])
    return f"{_some(there - came.get(place, frozenset()) or there)}{_tagged(machine.outputs[place])}"


def _tagged(output: str | None) -> str:
    """An output in words; nothing where a rule says nothing of a word."""
    if output is None or output == WILDCARD:
        return ""
    slot = slot_of(output)
    return ", outside of slots" if slot is None else f", {'continuing' if _continues(output) else 'beginning'} {slot}"


def _now(tag: str | None) -> str:
    """The same of a tag that is new; the wildcard takes one away."""
    if tag is None or tag == WILDCARD:
        return "no longer tagged"
    slot = slot_of(tag)
    return "now outside of slots" if slot is None else f"now {'continues' if _continues(tag) else 'begins'} {slot}"


def _continues(tag: str) -> bool:
    return tag[:2].upper() == "I-"


def _listed(words: frozenset[Symbol]) -> str:
    return first_names(show_symbols(words), FEW)


def _some(words: frozenset[Symbol] | Sequence[Symbol]) -> str:
    shown = show_symbols(words)
    if len(shown) <= FEW:
        return " | ".join(shown) if len(shown) == 1 else f"( {' | '.join(shown)} )"
    return f"( {' | '.join(shown[:FEW])} | {len(shown) - FEW} more )"
