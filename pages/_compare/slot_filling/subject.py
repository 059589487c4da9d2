"""What the comparison shows of rules for slots."""

from __future__ import annotations

from collections.abc import Sequence

from pages._compare import rules_of_task
from pages._compare.chosen_rule import SlotRule
from pages._compare.comparison import AUTOMATA, EDITS, EXPLANATION, THRESHOLDS, Subject
from pages._compare.newest_rules import NewestRules, newest_slot_rules
from pages._compare.reconstructed.slot_filling import compared, is_moved, of_size
from pages._compare.reconstruction.thresholds import draw_no_threshold
from pages._compare.reconstruction.why import Predictors, draw_why, named, unknown_words
from pages._compare.review.no_change import spans_of_network_alone
from pages._compare.review.slot_filling import slot_card
from pages._compare.slot_filling.accepting import ACCEPTING
from pages._compare.slot_filling.detail import draw_rule, slots_of_rule
from pages._compare.slot_filling.headline import changed_rules, draw_headline, held_figures
from pages._compare.slot_filling.learned import draw_learned
from pages._compare.slot_filling.moved import draw_moved, moved_by
from pages._compare.slot_filling.thresholds import draw_thresholds
from pages._compare.slot_filling.transducers import draw_machines
from pages._predict.slot_filling.explained import explain_slots_with
from pages._shared.cached.explaining import slot_explainer_for
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import words


def _draw_automata(chosen: SlotRule, _: NewestRules[SlotSystem] | None) -> None:
    moved = moved_by(chosen)
    draw_rule(chosen)
    draw_machines(chosen, chosen.compared.records[moved[0].places[0]].text if moved else "")
    if is_moved(chosen.change):
        draw_moved(chosen, moved)


def _draw_sentence(chosen: SlotRule, now: NewestRules[SlotSystem] | None) -> None:
    moved = moved_by(chosen)
    example = chosen.compared.records[moved[0].places[0]].text if moved else _example_text(chosen)
    draw_why(chosen, now, _asked(chosen), example)


def _draw_thresholds(chosen: SlotRule, _: NewestRules[SlotSystem] | None) -> None:
    if isinstance(chosen.change, LearnedRule):
        draw_no_threshold()
        return
    draw_thresholds(chosen)


def _asked(chosen: SlotRule) -> Predictors[SlotSystem]:
    run = chosen.compared.run
    network = tagger_of_run(run)

    def by_network(text: str, palette: Palette) -> tuple[str, str]:
        [prediction] = predict_tags(network, [text])
        worth = f"lowest confidence of a token {prediction.confidence:.2f}{unknown_words(network, text)}"
        return _spans(prediction.spans, text, palette), worth

    def explain(text: str, palette: Palette) -> None:
        explain_slots_with(slot_explainer_for(chosen.project, chosen.newest.version, run), text, palette)

    return Predictors(_spans_by_rules, by_network, explain)


def _spans_by_rules(system: SlotSystem, text: str, palette: Palette) -> tuple[str, str]:
    [read] = system.readings([words(text, system.tokenization)])
    return _spans(system.spans([text])[0], text, palette), named([system.rule_names[own.rule] for own in read])


def _spans(spans: Sequence[Span], text: str, palette: Palette) -> str:
    """Each span's words with its slot."""
    reported = (f"{escape(text[span.start : span.end])} {palette.chip(span.slot)}" for span in spans)
    return ", ".join(reported) or '<span class="re2-muted">no slot</span>'


def _example_text(chosen: SlotRule) -> str:
    """A text that is worth asking about: one that the changes set right, rather with a slot of this rule; else any."""
    trial, records = chosen.trial, chosen.compared.records
    fixed = () if trial is None else trial.how.evaluation.effect(trial.now, trial.before).fixed
    moved = [records[place] for place in fixed if place < len(records)]
    slots = [f'"{slot}"' for slot in slots_of_rule(chosen.compared, chosen.change)]
    first = sorted(moved, key=lambda record: not any(slot in (record.label or "") for slot in slots)) or records
    return next((record.text for record in first), "")


SLOTS = Subject(
    key="compare_slots",
    accepting=ACCEPTING,
    compare=compared,
    of_size=of_size,
    network=tagger_of_run,
    rules=rules_of_task.SLOTS,
    newest_rules=newest_slot_rules,
    changed_rules=changed_rules,
    names=lambda _, trial: () if trial is None else trial.now.slots,
    draw_headline=draw_headline,
    entries=lambda compared: (*compared.found.rules, *compared.found.new_rules),
    held=held_figures,
    make_card=slot_card,
    draw_rule=draw_rule,
    views={
        EDITS: lambda chosen, _: draw_learned(chosen),
        AUTOMATA: _draw_automata,
        EXPLANATION: _draw_sentence,
        THRESHOLDS: _draw_thresholds,
    },
    network_alone=spans_of_network_alone,
    logic="priorities",
    on_texts=True,
)
