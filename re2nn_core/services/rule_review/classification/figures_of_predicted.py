"""What the figures of rules found from predictions say about new texts, in sentences: their intervals, and whether the
new rules make predictions of labelled texts better or worse, or how many more texts would tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from re2nn_core.services.prediction.precision import interval_in_words
from re2nn_core.services.rule_reconstruction.classification.fidelity import DRAWN, UNSEEN, RulesOfSize, SplitFidelity
from re2nn_core.services.rule_review.evidence.enough_texts import more_texts_in_words
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves, loses
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names


def in_words(chosen: RulesOfSize, repeated: Mapping[str, int] = MappingProxyType({})) -> Iterator[str]:
    """A sentence or two for each split that the search did not see, and how many of its texts are `repeated` ones."""
    for split in UNSEEN:
        if (one := chosen.splits.get(split)) is not None and one.texts:
            yield f"{split_name(split).capitalize()}: {_figures(one)}"
    if DRAWN in chosen.splits or DRAWN in repeated:
        yield f"There are no dev or test texts: every fifth text is {split_name(DRAWN)}."
    if repeated:
        texts = join_names([f"{number:,} of {split_name(split)}" for split, number in repeated.items()])
        yield f"Not measured, because these texts are among those that the rules were found from: {texts}."


def split_name(split: str) -> str:
    """A split as it is called in tables."""
    return split.replace("_", "-")


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
