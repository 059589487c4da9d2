"""What was done to a rule, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from re2nn_core.automata.symbols import ANY, Symbol, show_symbols
from re2nn_core.reconstruction.tag_machine import RuleMachine
from re2nn_core.reconstruction.tag_moves import Change
from re2nn_core.rules.tagging import WILDCARD

FEW = 6  # words that are told one by one


def said_of(written: RuleMachine, changes: Sequence[Change]) -> Iterator[str]:
    """A sentence for each change of a rule, in their order."""
    before = written
    for change in changes:
        yield f"{_said(before, change)} ({_mistakes(change.gain)})"
        before = change.machine


def _mistakes(gain: int) -> str:
    return "1 mistake fewer" if gain == 1 else f"{gain} mistakes fewer"


def _said(before: RuleMachine, change: Change) -> str:
    move, words = change.move, change.words
    here = _place(before, move.place)
    if move.kind == "words":
        return f"{'any word' if words is None else _some(words)} may stand in the place of {here}"
    if move.kind == "fewer":
        if words is None or ANY not in before.symbols[move.place]:
            return _no_longer(before, move.place, words or ())
        return f"only {_some(words)} may stand in the place of {here}"
    if move.kind == "tag":
        who = here if words is None else f"{_some(words)} in the place of {here}"
        return f"{who}: {'no tag any more' if move.tag == WILDCARD else f'tagged {move.tag} now'}"
    if move.kind == "begin":
        return f"a sentence may begin behind {here}, which need not stand there"
    if move.kind == "end":
        return f"a sentence may end behind {here}"
    behind = "at the beginning" if move.place == 0 else f"behind {here}"
    what = _place(before, move.target) if words is None else _some(words)
    output = "" if words is None else _tagged(before.outputs[move.target])
    return f"{what} may stand {behind}{output}"


def _no_longer(before: RuleMachine, place: int, words: Iterable[Symbol]) -> str:
    """The words that go from a place; the place is told where another one names them too."""
    gone, output = frozenset(words), before.outputs[place]
    tag = "" if output in (None, WILDCARD) else f" as {output}"
    elsewhere = any(gone & frozenset(symbols) for at, symbols in enumerate(before.symbols) if at != place)
    at = f" in the place of {_place(before, place)}" if elsewhere else tag
    return f"no longer reads {_listed(gone)}{at}"


def _place(machine: RuleMachine, place: int) -> str:
    """A place by what it reads and gives."""
    return f"{_some(machine.symbols[place])}{_tagged(machine.outputs[place])}"


def _tagged(output: str | None) -> str:
    """An output in words; nothing where a rule says nothing of a word."""
    return "" if output in (None, WILDCARD) else f", tagged {output}"


def _listed(words: frozenset[Symbol]) -> str:
    shown = show_symbols(words)
    more = len(shown) - FEW
    return ", ".join(shown[:FEW]) + (f" and {more} more" if more > 0 else "")


def _some(words: frozenset[Symbol] | Sequence[str]) -> str:
    shown = show_symbols(words)
    if len(shown) <= FEW:
        return " | ".join(shown) if len(shown) == 1 else f"( {' | '.join(shown)} )"
    return f"( {' | '.join(shown[:FEW])} | {len(shown) - FEW} more )"
