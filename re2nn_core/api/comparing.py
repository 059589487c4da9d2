"""What can be asked of models: how good they are, how two rule sets differ, which rules a network has learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, overload

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model, checked_model, compile
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.api.texts import Texts, corpus_from
from re2nn_core.automata.inclusion import PAIR_BUDGET
from re2nn_core.errors import InputError, shortened
from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, slot_side
from re2nn_core.services.rule_difference.rule_set_difference import OnProgress, RuleSetDifference, rule_set_difference
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.prediction.classification.evaluation import Evaluation
    from re2nn_core.services.prediction.slot_filling.evaluation import SlotEvaluation

Predict = Callable[[list[str]], Sequence[str | None]]  # the label of each text, None for none


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


def reconstruct(
    model: Model | Predict,
    data: Texts | Iterable[str],
    *,
    rules: Model | None = None,
    most_words: int | None = None,
) -> Model:
    """The rules that a model has learned, as a model of rules; `result.system.rules_text` is the rule file.

    Of a trained network its weights are read; `data` with labels, or with spans, of the split dev decide how. Of any
    other classifier give a function from a list of texts to their labels, None for no label; a network's `predict` is
    one, too. Then rules are found from its predictions of the texts in `data`, which need no labels and may be plain
    strings, in addition to `rules`, if there are some, and a network of them learns these predictions too: dev decides
    whether that is kept, test takes no part.

    `most_words`, for labels: changed and new rules name at most so many new words; None for the default, 400 of a
    network, from predictions the fewest that agree as much with them. InputError for a model without a network, for
    predictions that cannot be used, for fewer words than 0, or where a limit is given for slots; DataFileError."""
    if most_words is not None and most_words < 0:
        raise InputError(f"most_words must be 0 or more (got {most_words}).")
    if not isinstance(model, LabelModel | SlotModel) and callable(model):
        return _from_predictions(model, data, rules, most_words)
    checked_model(model, "reconstruct(model, data)")
    if rules is not None:
        raise InputError("rules: a network is read with its own rules. Leave them out, or give its function predict.")
    if model.bundle is None:
        raise InputError("This model has no network, only rules: there is nothing to reconstruct. Train it first.")
    if most_words is not None and not isinstance(model, LabelModel):
        raise InputError("most_words: this is for labels, and the model is for slots. Leave it out.")
    corpus = corpus_from(data, model.task, model.tokenization)
    if isinstance(model, LabelModel):
        from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
        from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct as of_labels
        from re2nn_core.services.rule_review.classification.written_lines import reconstruction_in_written_lines

        found = of_labels(model.bundle, corpus, most_words=MOST_WORDS if most_words is None else most_words)
        found = reconstruction_in_written_lines(found, model.bundle, corpus.texts)
        rules_text, logic = found.rules_text, found.logic_text
    else:
        from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger

        tagged = reconstruct_tagger(model.bundle, corpus)
        rules_text, logic = tagged.rules_text, tagged.logic_text
    return compile(rules_text, logic=logic, tokenizer=model.tokenization, task=model.task)


def _from_predictions(
    predict: Predict, data: Texts | Iterable[str], rules: Model | None, most_words: int | None
) -> Model:
    from re2nn_core.services.fine_tuning.classification.learned_predictions import rules_of_predictions
    from re2nn_core.services.rule_review.classification.written_lines import in_written_lines

    if rules is not None and not isinstance(rules, LabelModel):
        raise InputError("rules: rules are found from predictions of labels alone. Give a model for labels, or none.")
    tokenization = Tokenization() if rules is None else rules.tokenization
    corpus = corpus_from(data, Task.CLASSIFICATION, tokenization, unlabelled=True)
    predictions = predict(list(corpus.texts))
    if isinstance(predictions, str) or not isinstance(predictions, Iterable):
        raise InputError(
            f"The function gave {shortened(repr(predictions))} for {counted(len(corpus), 'text')}. "
            "Let it take a list of texts and return a list of as many labels, None for no label."
        )
    predicted = list(predictions)
    if len(predicted) != len(corpus):
        raise InputError(
            f"The function gave {counted(len(predicted), 'label')} for {counted(len(corpus), 'text')}. "
            "Let it return a label for each text, None for no label."
        )
    odd = next((one for one in predicted if one is not None and not isinstance(one, str)), None)
    if odd is not None:
        raise InputError(f"The function gave {odd!r} as a label. Let it return names of labels (str), or None.")
    system = None if rules is None else rules.system
    found = rules_of_predictions(system, corpus, predicted, tokenization, most_words=most_words)
    found = in_written_lines(found, corpus.texts, tokenization)
    return compile(found.rules_text, logic=found.logic_text, tokenizer=tokenization, task=Task.CLASSIFICATION)
