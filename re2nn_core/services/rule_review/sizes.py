"""How large a reconstruction is to be: the written rules with one change more at a time, those worth most for their
words first, and what they reach with so many.

All changes together are what was reconstructed. Fewer are rules with fewer words, which agree less with the network;
what agreement and accuracy they have is measured for each size, of test texts on texts that chose no change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_SIZES = 8  # besides that of no change; of more changes, several come at a time
SPLITS = ("test", "dev")  # those that say most of new texts first
Figures = TypeVar("Figures")  # of one split
Texts = frozenset[int]  # places of texts


@dataclass(frozen=True)
class ReconstructionSize(Generic[Figures]):
    """The written rules with the changes of the rules of these `names`, the new rules among them, which name so many
    `words` that the written ones do not; `figures` as those of the whole reconstruction."""

    names: tuple[str, ...]
    words: int
    figures: tuple[Figures, ...]


def counts_of_changes(changes: int) -> tuple[int, ...]:
    """How many of the changes each size has, from none to all."""
    sizes = min(changes, MOST_SIZES)
    return tuple(round(changes * size / sizes) for size in range(sizes + 1)) if sizes else (0,)


def worth_first(fixed: Mapping[str, Texts], broken: Mapping[str, Texts], words: Mapping[str, int]) -> tuple[str, ...]:
    """The changes in the order in which they fix most texts, less those that they break, for each word; texts that a
    change before them fixes or breaks already count for none. `fixed` names all changes."""
    left, order = list(fixed), []
    done_fixed, done_broken = Texts(), Texts()
    while left:

        def worth(name: str) -> float:
            gain = len(fixed[name] - done_fixed) - len(broken[name] - done_broken)  # noqa: B023 - called at once
            return _for_words(gain, words[name])

        best = max(left, key=worth)
        left.remove(best)
        order.append(best)
        done_fixed, done_broken = done_fixed | fixed[best], done_broken | broken[best]
    return tuple(order)


def gain_first(
    words: Mapping[str, Collection[str]], gain: Callable[[str], int], make: Callable[[str], None]
) -> tuple[str, ...]:
    """The changes in the order of what they gain for each word behind those before them; a word that a change before
    them names, such as those of a word class of several rules, costs nothing. `words`: what each change names; `gain`:
    that of a change behind those that are made; `make` is called of each change that comes next."""
    left, order = list(words), []
    named: set[str] = set()
    while left:
        best = max(left, key=lambda name: _for_words(gain(name), len(set(words[name]) - named)))
        left.remove(best)
        order.append(best)
        named |= set(words[best])
        make(best)
    return tuple(order)


def _for_words(gain: int, words: int) -> float:
    """A gain for each word; a loss is no smaller for being of many."""
    return gain / (1 + words) if gain > 0 else float(gain)


def never_worse(
    sizes: Sequence[ReconstructionSize[Figures]], reached: Callable[[Sequence[Figures]], float]
) -> tuple[ReconstructionSize[Figures], ...]:
    """The sizes without those that reach less than a smaller one; that of no change and that of all stay. `reached`:
    what figures say of the texts that chose the changes."""
    offered: list[ReconstructionSize[Figures]] = []
    most = float("-inf")
    for size in sizes:
        now = reached(size.figures)
        if now >= most or size is sizes[-1]:
            offered.append(size)
        most = max(most, now)
    return tuple(offered)


def fitting_sizes(
    sizes: Sequence[ReconstructionSize[Figures]], changed: frozenset[str]
) -> tuple[ReconstructionSize[Figures], ...]:
    """Sizes that are still of these changes, from none to all; none where they are of others."""
    whole = bool(sizes) and set(sizes[-1].names) == changed and bool(changed)
    return tuple(sizes) if whole else ()
