"""explain for slots: the tag of each word, and what predicts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands.models.explain_text import (
    counts_text,
    explanation_data,
    flip_text,
    number,
    path_texts,
    shortened_text,
    signed,
    ties_and_notes,
    why_not_text,
)
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.explanation.flip import Flip
    from re2nn_core.services.explanation.slot_filling.explanation import SlotExplanation
    from re2nn_core.services.explanation.why_not import WhyNot

_SHOWN_RULES = 3


def explain_slots(sources: Sources, text: str, wanted: str | None, budget: int | None) -> CommandResult:
    """The result of `re2nn explain` for slots."""
    from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer

    rules_and_model = rules_and_tagger(sources, load_tagger_of(sources))
    explainer = SlotExplainer(rules_and_model.system, rules_and_model.bundle)
    is_slot = wanted is None or wanted in explainer.slots
    why_not = None if wanted is None else explainer.why_not(text, wanted)
    found = explainer.explain(text)
    flip = explainer.flip(text, wanted if is_slot else None, budget=budget)
    return CommandResult(explanation_data(found, why_not, flip), "\n\n".join(_lines(found, why_not, flip)))


def _lines(found: SlotExplanation, why_not: WhyNot | None, flip: Flip) -> Iterator[str]:
    from re2nn_core.services.explanation.slot_filling.explanation import bound_note, tagged_spans_in_words

    words = [word.text for word in found.words]
    differs = ""
    if found.trained and found.tags != found.rules_tags:
        differs = f"\nrules: {tagged_spans_in_words(words, found.rules_tags)}"
    yield f"{shortened_text(found.text)}\nprediction: {tagged_spans_in_words(words, found.tags)}{differs}"
    yield from ties_and_notes(found.ties, found.notes)
    if found.words:
        note = bound_note(found.words)
        yield _words(found) + (f"\n{note}" if note else "")
    for place, span in enumerate(found.spans):
        name = f"{span.slot}: {' '.join(words[span.first : span.end])}"
        counts = [(word, heat, "") for word, heat in zip(words, span.heats, strict=True)]
        yield counts_text(name, counts, meaning=not place)
    yield from path_texts(found.paths, trained=found.trained)
    if why_not is not None:
        yield why_not_text(why_not)
    yield flip_text(flip)


def _words(found: SlotExplanation) -> str:
    """Each word with its tag, the score as a sum, and the rules behind it."""
    chained = any(one.chain for word in found.words for one in word.sums)
    rows = []
    shown = [word for word in found.words if not found.long or word.tag != "O"]
    for word in shown:
        own = next((one for one in word.sums if one.tag == word.own), None)
        strongest = sorted(word.added.items(), key=lambda item: -abs(item[1]))[:_SHOWN_RULES]
        rows.append(
            [
                word.text,
                word.tag,
                *([word.rules_tag] if found.trained else []),
                *(
                    ["-"] * (3 + chained)
                    if own is None
                    else [number(own.score), signed(own.rules), signed(own.outside)]
                ),
                *([signed(own.chain)] if chained and own is not None else []),
                ", ".join(f"{name} {signed(value)}" for name, value in strongest) or "-",
            ]
        )
    head = ["word", "tag", *(["by rules"] if found.trained else []), "score", "= rules", "+ outside the rules"]
    left = len(found.words) - len(shown)
    more = f"\nand {counted(left, 'word')} without a slot (--json has them)" if left else ""
    reported = table([*head, *(["chain over tags"] if chained else []), "which rules add"], rows)
    return f"The tag of each word, its score as a sum:\n{reported}{more}"
