"""What an edit gains, as a figure and in words, so that tables and sentences say the same of the same texts."""

from __future__ import annotations

from dataclasses import dataclass

from pages._shared.drawing.markup import difference
from pages._shared.drawing.measures import Measure
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.text.counting import counted

WHERE = "in labelled train and dev texts"


@dataclass(frozen=True)
class Gain:
    """Of how many texts changes make the prediction better, and worse; and the 95% interval of what they gain on new
    texts, as shares of 1, None where that is not known."""

    moves: SplitMoves
    interval: tuple[float, float] | None


NO_GAIN = Gain(SplitMoves(0, 0, 0), None)


def signed(right: int) -> str:
    """A gain as tables show it: so many correct predictions more, or errors fewer."""
    return f"{right:+,}" if right else "0"


def moved(measure: Measure, change: float | None, *, unit: bool = True) -> str:
    """A change of a figure since before, as HTML with its sign; one that no digit shows as ±0.0, since an empty place
    could mean that nobody measured. Empty for None. `unit`: with that of accuracies, which are reported in points."""
    if change is None:
        return ""
    shown = measure.gain(change) if unit else difference(100 * change, digits=1)
    return shown or f' <span class="re2-muted">±0.0{"" if measure.name or not unit else " points"}</span>'


def gain_in_words(right: int, *, slots: bool) -> str:
    """The same in words: `+6 (6 correct predictions more ...)`; of slots `+6 (6 errors fewer ...)`."""
    if not right:
        return f"0, as many {'errors' if slots else 'correct predictions'} as before {WHERE}"
    better = right > 0
    what = "error" if slots else "correct prediction"
    side = ("fewer" if better else "more") if slots else ("more" if better else "fewer")
    return f"{signed(right)} ({counted(abs(right), what)} {side} {WHERE})"
