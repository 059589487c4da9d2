"""What the working area shows of rules for labels of whole texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pages._rules.analysis import analysis
from pages._rules.automaton import rule_picture
from pages._rules.effect import EffectView, label_effect
from pages._rules.label_logic import draw_logic_proposals, draw_unused, logic_example, unused_height
from pages._rules.label_texts import VIEWS
from pages._rules.remarks import draw_lines, suggested
from pages._rules.rule_list import draw_rule_list
from pages._rules.strip import draw_figures
from pages._rules.texts import draw_texts
from pages._rules.workbench import LIST_HEIGHT, Records, Subject
from pages._shared.components.editor import Note
from pages._shared.drawing.labels import Palette
from re2nn_core.errors import FaultsError
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, unchanged_lines
from re2nn_core.text.counting import counted


def _notes(draft: Draft, found: Analysis) -> Iterator[Note]:
    """Figures beside the rules."""
    unchanged = unchanged_lines(draft, found.system.rules_text)
    for figures in found.rule_figures:
        if figures.line not in unchanged:
            continue
        right = f"{figures.correct:,} of {figures.labelled:,} labelled correct before label logic"
        yield Note(
            figures.line,
            f"{figures.matches:,}",
            f"{figures.name}: {counted(figures.matches, 'match', 'matches')}, {right}. Click for the texts.",
            figures.name,
            bad=figures.matches == 0,
        )


def _accuracy(found: Analysis, places: list[int]) -> str:
    return f"accuracy {found.correct[places].mean():.1%}"


def _draw_results(
    draft: Draft, found: Analysis, records: Records, palette: Palette, *, stale: bool, edit: EffectView | None
) -> None:
    draw_lines(suggested(draft, records, partial(_accuracy, found)))
    draft = draw_rule_list(found, draft, palette, height=LIST_HEIGHT, stale=stale)
    draw_texts(VIEWS, found, records, draft, palette, edit)


SUBJECT = Subject(
    analyse=analysis,
    unreadable=(FaultsError,),
    names=lambda found: found.labels,
    notes=_notes,
    draw_figures=draw_figures,
    effect=label_effect,
    draw_results=_draw_results,
    picture=lambda found, records, counts, _, rule: rule_picture(found, records, counts, rule),
    draw_logic=draw_logic_proposals,
    logic_example=logic_example,
    draw_unused=draw_unused,
    unused_height=unused_height,
    advice="Figures are shown once the rules have no errors. See the errors on the left.",
)
