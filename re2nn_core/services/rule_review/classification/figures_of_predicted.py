"""What the figures of rules found from predictions say about new texts, in sentences: their intervals, and whether the
new rules make predictions of labelled texts better or worse, or how many more texts would tell."""

from __future__ import annotations

from collections.abc import Iterator

from re2nn_core.services.prediction.precision import interval_in_words
from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize, SplitFidelity
from re2nn_core.services.rule_review.enough_texts import more_texts_in_words
from re2nn_core.services.rule_review.split_chance import SplitMoves, loses
from re2nn_core.services.rule_writing.classification.material import HELD_OUT
from re2nn_core.text.counting import counted


def in_words(chosen: RulesOfSize) -> Iterator[str]:
    """A sentence or two for each split that the search did not see."""
    for split in HELD_OUT:
        if (one := chosen.splits.get(split)) is not None and one.texts:
            yield f"{split.capitalize()}: {_figures(one)}"


def _figures(one: SplitFidelity) -> str:
    parts = [f"fidelity {one.fidelity:.0%} (95% interval {interval_in_words(one.fidelity, one.texts)})"]
    if one.accuracy is None:
        return f"{parts[0]}."
    parts.append(f"accuracy {one.accuracy:.0%} ({interval_in_words(one.accuracy, one.labelled)})")
    texts = counted(one.labelled, "labelled text")
    moved = f"the new rules fix {one.fixed:,} and break {one.broken:,} of {texts}"
    return f"{', '.join(parts)}; {moved}{_meaning(one)}."


def _meaning(one: SplitFidelity) -> str:
    moves = SplitMoves(one.labelled, one.fixed, one.broken)
    if loses(moves):
        return (
            ". Warning: accuracy falls, statistically significantly (sign test). Choose a smaller set with --most-words"
        )
    more = more_texts_in_words(moves)
    return f". {more} whether they gain" if more else ""
