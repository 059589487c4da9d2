"""How the figures of a run are called and written: accuracies in per cent, F1 as a number up to 100."""

from __future__ import annotations

from dataclasses import dataclass

from pages._shared.drawing.markup import difference
from re2nn_core.services.fine_tuning.dev_figures import figure_on
from re2nn_core.services.fine_tuning.reports import learns_spans
from re2nn_core.services.values.stored import RunRecord


@dataclass(frozen=True)
class Measure:
    """`name` is empty for accuracies, which go without saying."""

    name: str

    def shown(self, share: float | None, missing: str = "") -> str:
        """A share of 1 as people read it."""
        if share is None:
            return missing
        return f"{100 * share:.1f}" if self.name else f"{share:.1%}"

    def interval(self, low: float, high: float) -> str:
        """Two shares of 1 between which a figure lies."""
        return f"{100 * low:.0f} to {100 * high:.0f}" if self.name else f"{low:.0%} to {high:.0%}"

    def gain(self, change: float | None) -> str:
        """A change since before, as HTML; empty for none."""
        if change is None or not self.name:
            return difference(change, percent=True)
        return difference(100 * change, digits=1)

    def change(self, change: float, nothing: float) -> str:
        """A change in words, with its sign; none where it is smaller than `nothing`."""
        zero, sign = (0.0, "±") if abs(change) < nothing else (change, "+" if change > 0 else "-")
        return f"{sign}{100 * abs(zero):.1f}{'' if self.name else ' points'}"

    def on(self, where: str) -> str:
        """The figure on a split: "dev", or "F1 on dev", "out-of-fold F1"."""
        return figure_on(self.name, where) if self.name else where


ACCURACY, F1 = Measure(""), Measure("F1")


def measure_of(run: RunRecord) -> Measure:
    """What a run is measured by."""
    return F1 if learns_spans(run) else ACCURACY
