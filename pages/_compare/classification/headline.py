"""What training changed in rules for labels: the figures."""

from __future__ import annotations

from pages._compare.newest_rules import NewestRules
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.reconstruction import headline
from pages._compare.reconstruction.headline import SplitFigures
from pages._compare.reconstruction.summary_sentence import Held
from pages._shared.drawing.measures import ACCURACY
from re2nn_core.services.rule_systems.classification.systems import RuleSystem


def draw_headline(compared: LabelComparison, newest: NewestRules[RuleSystem] | None = None) -> None:
    """Accuracy on each split."""
    headings = "texts", "network", "reconstructed rules", "agreement with the network"
    headline.draw_figures(ACCURACY, compared, newest, _splits(compared), headings, chose="thresholds", arrows=True)


def held_figures(compared: LabelComparison) -> Held | None:
    """What training brought, in figures."""
    return headline.held_of(compared, _splits(compared))


def _splits(compared: LabelComparison) -> list[SplitFigures]:
    return [
        SplitFigures(
            one.split,
            one.texts,
            one.original,
            (one.network, one.reconstructed),
            one.fidelity,
            (one.better, one.worse),
        )
        for one in compared.found.accuracy
    ]


def changed_rules(compared: LabelComparison) -> str:
    """How many rules changed, as HTML."""
    found, more = compared.found, []
    if found.dropped:
        more.append((f"{len(found.dropped)}", "dropped", ""))
    return headline.counted_changes(found, more)
