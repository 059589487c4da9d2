"""What can be asked of models: how good they are, how two rule sets differ, which rules a network has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model, checked_model, compile
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.api.texts import Texts, corpus_from
from re2nn_core.automata.inclusion import PAIR_BUDGET
from re2nn_core.errors import InputError
from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, slot_side
from re2nn_core.services.rule_difference.rule_set_difference import OnProgress, RuleSetDifference, rule_set_difference

if TYPE_CHECKING:
    from re2nn_core.services.prediction.classification.evaluation import Evaluation
    from re2nn_core.services.prediction.slot_filling.evaluation import SlotEvaluation


@overload
def evaluate(model: LabelModel, data: Texts, *, split: str | None = None) -> Evaluation: ...
@overload
def evaluate(model: SlotModel, data: Texts, *, split: str | None = None) -> SlotEvaluation: ...


def evaluate(model: Model, data: Texts, *, split: str | None = None) -> Evaluation | SlotEvaluation:
    """How good the rules and the network of a model are on texts with labels, or with spans, and how often they agree.
    Without a network it is the untrained one, which is equal to the rules. DataFileError; InputError for no texts, or
    texts of the other task."""
    checked_model(model, "evaluate(model, data)")
    corpus = corpus_from(data, model.task, model.tokenization, split)
    if not len(corpus):
        raise InputError("There is no text to evaluate on: the data are empty. Give texts with labels, or with spans.")
    if isinstance(model, LabelModel):
        from re2nn_core.services.prediction.classification.evaluation import evaluate_model

        return evaluate_model(model.system, corpus, model.bundle)
    from re2nn_core.services.prediction.slot_filling.evaluation import evaluate_slots

    return evaluate_slots(model.system, corpus, model.bundle)


def diff(
    left: Model | RuleSide,
    right: Model | RuleSide,
    *,
    budget: int = PAIR_BUDGET,
    on_progress: OnProgress = lambda what, done, total: None,
) -> RuleSetDifference:
    """What the rules of two models match, rule by rule and label by label, that the other ones do not. InputError for
    models of different tasks."""
    return rule_set_difference(_side(left, "left"), _side(right, "right"), budget=budget, on_progress=on_progress)


def _side(given: Model | RuleSide, title: str) -> RuleSide:
    if isinstance(given, RuleSide):
        return given
    found = checked_model(given, "diff(model, other)")
    return slot_side(found.system, title) if isinstance(found, SlotModel) else label_side(found.system.ruleset, title)


def reconstruct(model: Model, data: Texts, *, most_words: int | None = None) -> Model:
    """The rules that a trained network has learned, as a model of rules; `data` with labels, or with spans, of the
    split dev decide how they are read. `result.system.rules_text` is the rule file. `most_words`, for labels: changed
    and new rules name at most so many new words; None for the default, 400. InputError for a model without a network,
    for fewer words than 0, or where a limit is given for slots; DataFileError."""
    checked_model(model, "reconstruct(model, data)")
    if model.bundle is None:
        raise InputError("This model has no network, only rules: there is nothing to reconstruct. Train it first.")
    if most_words is not None and most_words < 0:
        raise InputError(f"most_words must be 0 or more (got {most_words}).")
    if most_words is not None and not isinstance(model, LabelModel):
        raise InputError("most_words: this is for labels, and the model is for slots. Leave it out.")
    corpus = corpus_from(data, model.task, model.tokenization)
    if isinstance(model, LabelModel):
        from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
        from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct as of_labels

        found = of_labels(model.bundle, corpus, most_words=MOST_WORDS if most_words is None else most_words)
        rules, logic = found.rules_text, found.logic_text
    else:
        from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import reconstruct_slots

        tagged = reconstruct_slots(model.bundle, corpus)
        rules, logic = tagged.rules_text, tagged.logic_text
    return compile(rules, logic=logic, tokenizer=model.tokenization, task=model.task)
