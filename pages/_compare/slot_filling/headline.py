"""What training changed in rules for slots: the figures."""

from __future__ import annotations

from pages._compare.newest_rules import NewestRules
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstruction import headline
from pages._compare.reconstruction.headline import SplitFigures
from pages._compare.reconstruction.summary_sentence import Held
from pages._shared.drawing.markup import count_figure
from pages._shared.drawing.measures import F1
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SplitScores
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.training.span_scores import SpanScores


def draw_headline(compared: SlotComparison, newest: NewestRules[SlotSystem] | None = None) -> None:
    """F1 of each split. Rules as they were changed stand apart only where there are new ones, too."""
    new = bool(compared.found.new_rules)
    columns = ("network", "changed rules", "with new rules") if new else ("network", "reconstructed rules")
    splits = [_figures(one, new=new) for one in compared.found.scores]
    headings = "annotated texts", *columns, "agreement with the network"
    headline.draw_figures(F1, compared, newest, splits, headings, chose="changes")


def held_figures(compared: SlotComparison) -> Held | None:
    """What training brought, in figures."""
    return headline.held_of(compared, [_figures(one, new=False) for one in compared.found.scores], of_texts=False)


def _figures(one: SplitScores, *, new: bool) -> SplitFigures:
    others = (one.network, *((one.changed,) if new else ()), one.reconstructed)
    shares = tuple(map(_f1, others))
    return SplitFigures(one.split, one.marked, _f1(one.original), shares, one.fidelity, (one.better, one.worse))


def _f1(scores: SpanScores | None) -> float | None:
    return None if scores is None else scores.f1


def changed_rules(compared: SlotComparison) -> str:
    """How many rules changed and came, as HTML."""
    count = len(compared.found.new_priorities)
    more = [count_figure(count, "new priority", "new priorities")] if count else []
    return headline.counted_changes(compared.found, more)
