"""What a new rule overrides of the label logic, in a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from re2nn_core.plots.review.change_html import escape
from re2nn_core.text.joined_names import first_names, join_names

_NAMED, _SHOWN = 3, 160  # vetoes and priorities; signs of a text
PROPOSED = "proposed from your labelled texts and not read from the network"
_LOGIC = "<i>Label logic</i>"


class OverriddenLogic(Protocol):
    """Rules that veto the label, labels `stronger` than it, and an `example` whose prediction changes from that
    `before`; `made_up`: it is none of the texts. Empty where there is none."""

    @property
    def vetoes(self) -> Sequence[str]: ...

    @property
    def stronger(self) -> Sequence[str]: ...

    @property
    def example(self) -> str: ...

    @property
    def before(self) -> str | None: ...

    @property
    def made_up(self) -> bool: ...

    @property
    def first(self) -> bool: ...


def overridden_as_html(
    found: OverriddenLogic, label: str, *, rule: Callable[[str], str] = escape, logic: str = _LOGIC
) -> str:
    """That a rule for the label is new, and what it overrides where an example shows it; `rule` names a rule and
    `logic` the label logic, both as HTML."""
    vetoes = [f"<b>{rule(name)}</b>" for name in found.vetoes]
    stronger = [f"<b>{escape(f'{strong} > {label}')}</b>" for strong in found.stronger]
    kinds = (("your veto", "your vetoes", vetoes), ("the priority", "the priorities", stronger))
    named = [f"{one if len(own) == 1 else more} {first_names(own, _NAMED)}" for one, more, own in kinds if own]
    if not named or not found.example:
        more = f"New rule, {PROPOSED}, in addition to yours for <b>{escape(label)}</b>."
        alone = f"New rule, under <code>first</code> in {_LOGIC}: where it matches, no other formula counts."
        return f'<div class="re2-learned">{alone if found.first else more}</div>'
    made_up = " (made up of two of your texts: none of yours changes by this)" if found.made_up else ""
    was, now = escape(found.before or "no prediction"), escape(label)
    shown = f": “{escape(_quoted(found.example))}”{made_up} is no longer {was} but {now}"
    those = "which still counts" if len(found.vetoes) + len(found.stronger) == 1 else "which still count"
    return (
        f'<div class="re2-learned">New rule, under <code>first</code> in {logic}: it <b>overrides</b> '
        f"{join_names(named)}, {those} for other rules{shown}.</div>"
    )


def _quoted(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"
