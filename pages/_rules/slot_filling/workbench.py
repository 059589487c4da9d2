"""What the working area shows of rules for slots."""

from __future__ import annotations

from collections.abc import Iterator

from pages._rules.automaton import slot_rule_picture
from pages._rules.effect import EffectView
from pages._rules.label_logic import slot_logic_example
from pages._rules.slot_filling.analysis import slot_analysis
from pages._rules.slot_filling.effect import slot_edit_effect
from pages._rules.slot_filling.remarks import draw_remarks
from pages._rules.slot_filling.rule_list import draw_slot_list
from pages._rules.slot_filling.texts import VIEWS
from pages._rules.strip import draw_span_figures
from pages._rules.texts import draw_texts
from pages._rules.workbench import LIST_HEIGHT, Records, Subject
from pages._shared.components.editor import Note
from pages._shared.drawing.labels import Palette
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.services.rule_writing.draft import Draft, unchanged_lines
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import RuleSlotFigures, SlotAnalysis
from re2nn_core.text.counting import counted


def _notes(draft: Draft, found: SlotAnalysis) -> Iterator[Note]:
    """Figures beside the rules."""
    by_rule: dict[str, list[RuleSlotFigures]] = {}
    for figures in found.rule_figures:
        by_rule.setdefault(figures.name, []).append(figures)
    unchanged = unchanged_lines(draft, found.system.rules_text)
    for name, rows in by_rule.items():
        if rows[0].line not in unchanged:
            continue
        spans = sum(row.spans for row in rows)
        given, right = (sum(getattr(row.counts, part) for row in rows) for part in ("given", "right"))
        meaning = (
            f"{name}: {counted(spans, 'span')}, {right:,} of {given:,} in annotated texts correct. Click for the texts."
        )
        yield Note(rows[0].line, f"{spans:,}", meaning, name, bad=spans == 0)


def _draw_results(
    draft: Draft, found: SlotAnalysis, records: Records, palette: Palette, *, stale: bool, edit: EffectView | None
) -> None:
    draw_remarks(found, draft, records)
    draft = draw_slot_list(found, draft, palette, height=LIST_HEIGHT, stale=stale)
    draw_texts(VIEWS, found, records, draft, palette, edit)


SUBJECT = Subject(
    logic_example=slot_logic_example,
    analyse=slot_analysis,
    unreadable=(InputError, StateBudgetError),
    names=lambda found: found.slots,
    notes=_notes,
    draw_figures=draw_span_figures,
    effect=slot_edit_effect,
    draw_results=_draw_results,
    picture=slot_rule_picture,
    advice="Figures are shown once the rules have no errors and one captures a word. See the errors on the left.",
    slots=True,
    rule_and_name=True,
    written=lambda found: found.system.spelt,
)
