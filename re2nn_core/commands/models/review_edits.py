"""The best changes of a review in words, each with texts that it fixes and breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, first_quoted

if TYPE_CHECKING:
    from re2nn_core.services.rule_review.review_document import ReviewDocument, ReviewedRule, ReviewedText, TextList

BEST = 3  # changes in words
_TEXTS = 3  # of a list
_WORDS = 8
_OF_CLASS = 3
_WIDTH = 100
_SIDES = {"added": "adds", "removed": "removes"}


def edit_in_words(rule: ReviewedRule) -> str:
    """`adds “cost”; asks no longer: ...`, of a new rule its expression; what is added and removed stands in the order
    of the rule."""
    if rule.new:
        return f"new rule {_shortened(_joined(rule))}"
    parts = []
    for side, verb in _SIDES.items():
        found = list(dict.fromkeys(_of_side(rule, side)))
        if found:
            parts.append(f"{verb} {first_quoted(found, _WORDS)}")
    conditions = [one.in_words for one in rule.conditions if not parts]
    return "; ".join([*parts, *conditions]) or "another form of the rule"


def _joined(rule: ReviewedRule) -> str:
    return "".join(piece.text for piece in rule.pieces if piece.side != "removed").strip()


def _of_side(rule: ReviewedRule, side: str) -> Iterator[str]:
    """The parts of the rule that came or went, the words of a class each by itself unless the whole class did."""
    for piece in rule.pieces:
        within = [word for word, of_word in piece.words if of_word == side]
        if piece.side == side and (text := piece.text.strip(" |()")):
            whole = within and len(within) == len(piece.words)
            yield f"{text} ({first_names(within, _OF_CLASS)})" if whole else text
        elif piece.side != side:
            yield from within


def edits_data(rule: ReviewedRule) -> dict[str, Any]:
    """The change in words and its texts, for programs."""
    moved = (("fixes", rule.fixed), ("breaks", rule.broken))
    return {"edit": edit_in_words(rule), **{key: [_text_data(one) for one in found.shown] for key, found in moved}}


def _text_data(one: ReviewedText) -> dict[str, Any]:
    return {"text": one.text, "split": one.split, "before": one.before, "after": one.after, "gold": one.gold}


def best_edits(document: ReviewDocument) -> Iterator[str]:
    """A paragraph for each of the changes that gain most; nothing where none gains."""
    gaining = [rule for rule in document.rules if (rule.gain or 0) > 0 or rule.fixed.count > rule.broken.count]
    for number, rule in enumerate(gaining[:BEST], start=1):
        held = f", {rule.held_fixed:,} of them in {document.held_name}" if document.split and rule.held_fixed else ""
        texts = counted(rule.fixed.count, "text")
        lines = [f"{number}. {rule.name} ({', '.join(rule.groups)}): {edit_in_words(rule)}"]
        lines.append(f"   fixes {texts}{held}{_such_as(rule.fixed)}")
        lines += _listed(rule.fixed.shown)
        if rule.broken.count:
            lines.append(f"   breaks {counted(rule.broken.count, 'text')}{_such_as(rule.broken)}")
            lines += _listed(rule.broken.shown)
        yield "\n".join(lines)


def _such_as(found: TextList) -> str:
    return ", such as:" if found.count > _TEXTS else ":" if found.count else "."


def _shortened(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def _listed(texts: Sequence[ReviewedText]) -> list[str]:
    return [
        f"     “{_shortened(one.text)}” ({one.split}): {one.before or 'none'} -> {one.after or 'none'}"
        for one in texts[:_TEXTS]
    ]
