"""How explanations read on a terminal: paths, reasons why not, changes that bring another answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from re2nn_core.commands.answer import counted, table

if TYPE_CHECKING:
    from re2nn_core.services.explanation import Explanation, Flip, RulePath, WhyNot
    from re2nn_core.services.slot_explanation import SlotExplanation

NO_ANSWER = "(no answer)"
_SHOWN_RULES = 12


def explanation_data(found: Explanation | SlotExplanation, why_not: WhyNot | None, flip: Flip) -> dict[str, Any]:
    """All that was found, for --json."""
    return {
        **asdict(found),
        "why_not": None if why_not is None else asdict(why_not),
        "flip": {**asdict(flip), "sentence": flip.sentence},
    }


def path_texts(paths: Sequence[RulePath]) -> Iterator[str]:
    """The best path of each rule; how many others there are."""
    by_rule: dict[str, list[RulePath]] = {}
    for path in paths:
        by_rule.setdefault(path.rule, []).append(path)
    for first, *others in by_rule.values():
        more = f"\n{counted(len(others), 'more path')} through {first.rule} (--json)" if others else ""
        yield path_text(first) + more


def path_text(path: RulePath) -> str:
    """A path word by word."""
    tagged = any(step.tag is not None for step in path.steps)
    rows = [
        [
            place + 1,
            step.word,
            f"{step.source} > {step.target}",
            step.symbol or "-",
            *([step.tag or "-"] if tagged else []),
            number(step.before),
            number(step.after),
            step.origin,
        ]
        for place, step in enumerate(path.steps)
    ]
    head = ["", "word", "states", "read by", *(["tag"] if tagged else []), "before", "now", "edge"]
    return f"Path through {path.rule} ({path.label}), weight {number(path.weight)}:\n" + table(head, rows)


def why_not_text(why_not: WhyNot) -> str:
    """Why a label or rule does not speak, and what it takes."""
    from re2nn_core.services.explanation import change_in_words, death_in_words

    lines = [f"Why not {why_not.wanted}? {' '.join(why_not.reasons)}"]
    for rule in why_not.rules[:_SHOWN_RULES]:
        died = "it matches" if rule.death is None else death_in_words(rule.death)
        lines.append(f"  {rule.rule}: {died}")
        if rule.change is None:
            lines.append("    no change of the text makes it match")
        elif rule.change.edits:
            size = len(rule.change)
            words = f"{size} change{'' if size == 1 else 's'}: {change_in_words(rule.change)}"
            lines.append(f"    {words}: {' '.join(rule.change.words)} (answer: {rule.answer or NO_ANSWER})")
    if len(why_not.rules) > _SHOWN_RULES:
        lines.append(f"  and {len(why_not.rules) - _SHOWN_RULES:,} more rules, further away")
    return "\n".join(lines)


def flip_text(flip: Flip) -> str:
    """The smallest change that changes the answer."""
    from re2nn_core.services.explanation import change_in_words

    if flip.change is None:
        return f"Another answer: {flip.sentence}"
    who = "the network" if flip.by_network else "the rules"
    return (
        f"Smallest change found after which {who} answer{'s' if flip.by_network else ''} {flip.after or NO_ANSWER}: "
        f"{change_in_words(flip.change)}\n  {' '.join(flip.change.words) or '(no word)'}\n  {flip.sentence}"
    )


def number(value: float) -> str:
    """A score as people read it."""
    return f"{value:.2f}"


def signed(value: float) -> str:
    """A part of a sum, with its sign."""
    return f"{value:+.2f}" if abs(value) >= 5e-3 else "0"
