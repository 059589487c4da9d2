"""How far long work is, told as it goes through its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
OnStep = Callable[[int, int], None]  # how many are done, of how many


def not_reported(done: int, total: int) -> None:
    """Tells nobody."""


def stepped(items: Sequence[Item], on_step: OnStep) -> Iterator[Item]:
    """Each of the items; before each, and behind the last, `on_step` hears how many are done."""
    for number, item in enumerate(items):
        on_step(number, len(items))
        yield item
    on_step(len(items), len(items))
