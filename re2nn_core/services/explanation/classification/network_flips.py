"""The smallest change of a text after which a trained network predicts another label."""

from __future__ import annotations

from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.services.explanation.classification.network_changes import (
    budget_of,
    label_test,
    smallest_network_change,
    words_to_try,
)
from re2nn_core.services.explanation.classification.network_explanation import batch_of, predictions
from re2nn_core.services.explanation.classification.rule_explainer import RuleExplainer
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.text.joined_names import first_names


def network_flip(
    bundle: Bundle,
    contexts: Contexts,
    rules: RuleExplainer,
    sentence: tuple[str, ...],
    wanted: str | None,
    budget: int | None,
) -> Flip:
    """The smallest change found after which the network predicts `wanted`, or anything else for None. `rules` say what
    to try first; `budget`: how many changes may be tried. InputError for a label that the network does not know."""
    labels = bundle.network.logic.labels
    if wanted is not None and wanted not in labels:
        raise InputError(f"The network does not know the label {wanted!r}; it knows {first_names(labels)}.")
    given, before = _prediction(bundle, contexts, sentence)
    if wanted is not None and wanted == before:
        return Flip(before, before, None, True, 0, 0, True, f"The prediction is already {wanted}.")
    objective = None if wanted is None else labels.index(wanted)
    seeds = rules.changes_for(sentence, wanted)
    words = words_to_try(bundle, [word for change in seeds for edit in change.edits if (word := edit.new)])
    allowed = budget or budget_of(bundle)
    found = smallest_network_change(
        sentence,
        words,
        label_test(bundle, objective, given),
        seeds=seeds[:allowed],
        budget=allowed,
        bringing=wanted is not None,
    )
    after = None if found.change is None else _prediction(bundle, contexts, found.change.words)[1]
    smallest = found.change is not None and len(found.change) - 1 <= found.complete
    return Flip(before, after, found.change, smallest, found.complete, found.looked_at, True, found.note)


def _prediction(bundle: Bundle, contexts: Contexts, sentence: tuple[str, ...]) -> tuple[int, str | None]:
    """The number of the label that the network gives, -1 for none, and the label."""
    number = int(predictions(bundle, batch_of(bundle, [sentence], contexts)).labels[0])
    return number, bundle.network.logic.labels[number] if number >= 0 else None
