"""What the comparison shows of rules for labels of whole texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pages._compare import rules_of_task
from pages._compare.chosen_rule import LabelRule
from pages._compare.classification.accepting import ACCEPTING
from pages._compare.classification.detail import draw_machines, draw_moved, draw_new_rule, draw_rule, seen_from
from pages._compare.classification.headline import changed_rules, draw_headline, held_figures
from pages._compare.classification.learned import draw_learned, draw_new_patterns
from pages._compare.classification.thresholds import draw_thresholds
from pages._compare.comparison import AUTOMATA, EDITS, EXPLANATION, THRESHOLDS, Subject
from pages._compare.newest_rules import NewestRules, newest_rules
from pages._compare.reconstructed.classification import compared, of_size
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.reconstruction.thresholds import draw_no_threshold
from pages._compare.reconstruction.why import Predictors, draw_why, named, unknown_words
from pages._compare.review.classification import label_card
from pages._compare.review.no_change import labels_of_network_alone
from pages._predict.explained import explain_with
from pages._shared.cached.explaining import explainer_for
from pages._shared.cached.models import network_of
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape
from re2nn_core.services.explanation.classification.reasons import confidence_in_words
from re2nn_core.services.fine_tuning.classification.word_weights import strongest_words
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_difference.overlap_changes import what_decides
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.values.rules import decide_labels


def _draw_automata(chosen: LabelRule) -> None:
    draw_rule(chosen)
    if not chosen.change.kept_original:
        draw_machines(chosen)
        draw_moved(chosen)


def _by_kind(
    written: Callable[[LabelRule], None], new: Callable[[LabelRule], None]
) -> Callable[[LabelRule, NewestRules[RuleSystem] | None], None]:
    """A view of a rule that was written, and of one that is new."""
    return lambda chosen, _: (written if chosen.change.original_text else new)(chosen)


def _entries(compared: LabelComparison) -> Sequence[RuleChange]:
    """The changes of written rules, and the new rules: as changes of nothing."""
    new = (
        RuleChange(rule.name, rule.label, "", rule.text, None, False, None, None, rule.texts, ())
        for rule in compared.found.new_rules
    )
    return (*compared.found.rules, *new)


def _draw_sentence(chosen: LabelRule, now: NewestRules[RuleSystem] | None) -> None:
    draw_why(chosen, now, _asked(chosen), _example_text(chosen))


def _asked(chosen: LabelRule) -> Predictors[RuleSystem]:
    run = chosen.compared.run
    network = network_of(run)

    def by_network(text: str, palette: Palette) -> tuple[str, str]:
        prediction = predict(network, [text])
        worth = f"{confidence_in_words(float(prediction.confidence[0]))}{unknown_words(network, text)}"
        return palette.chip(prediction.predictions[0], missing=NO_PREDICTION), worth

    def explain(text: str, palette: Palette) -> None:
        explain_with(explainer_for(chosen.project, chosen.newest.version, run), text, palette)

    return Predictors(_by_rules, by_network, explain)


def _by_rules(system: RuleSystem, text: str, palette: Palette) -> tuple[str, str]:
    matched = [name for name, fires in zip(system.rule_names, system.matched([text])[0], strict=True) if fires]
    found = decide_labels(system.logic, matched)
    prediction = palette.chip(found.label, missing=NO_PREDICTION)
    if found.active or found.label is None:
        return prediction, named(matched)
    why = "no rule matches" if not matched else "no formula holds"
    return f'{prediction} <span class="re2-muted">default label, {why}</span>', named(matched)


def _example_text(chosen: LabelRule) -> str:
    """A text that is worth asking about: one that the rule accepts more or less, rather of its own label; else any."""
    change, records = chosen.change, chosen.compared.records
    moved = [records[place] for place in (*change.won, *change.lost) if place < len(records)]
    first = sorted(moved, key=lambda record: record.label != change.label) or records
    return next((record.text for record in first), "")


def _logic_changes(compared: LabelComparison) -> str:
    reported = compared.found.logic_in_words
    return f'<div class="re2-muted">{escape(reported)}</div>' if reported else ""


LABELS = Subject(
    key="compare",
    accepting=ACCEPTING,
    compare=compared,
    of_size=of_size,
    network=network_of,
    rules=rules_of_task.LABELS,
    newest_rules=newest_rules,
    changed_rules=changed_rules,
    names=lambda found, _: found.reconstructed.ruleset.labels,
    draw_headline=draw_headline,
    entries=_entries,
    held=held_figures,
    make_card=label_card,
    draw_rule=draw_rule,
    views={
        EDITS: _by_kind(draw_learned, draw_new_patterns),
        AUTOMATA: _by_kind(_draw_automata, draw_new_rule),
        EXPLANATION: _draw_sentence,
        THRESHOLDS: _by_kind(draw_thresholds, lambda _: draw_no_threshold()),
    },
    network_alone=labels_of_network_alone,
    word_weights=lambda run: strongest_words(network_of(run)),
    logic="label logic",
    seen=seen_from,
    decides=what_decides,
    logic_changes=_logic_changes,
)
