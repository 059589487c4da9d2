"""Labelling by people: which text comes next and why, one step back, and how far everybody is.

Labels go to the store's log one by one, so nothing is lost with a closed window, and undo works after a
reload.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.team.people import require_role
from re2nn_core.store import (
    Store,
    TextRecord,
    add_texts,
    count_texts,
    get_text,
    labelled_by,
    record_label,
    record_labels,
    texts_of,
    undo_last_action,
)
from re2nn_core.text.corpus import Corpus, Example

Order = Literal["uncertain", "differ", "mismatch", "unlabelled", "random"]
ORDERS: tuple[Order, ...] = get_args(Order)
DIGITS = 10  # 1 to 9, then 0
# Below this the runner-up is named as well: a sure prediction needs no rival.
_SURE = 0.9


class AnyPredictions(Protocol):
    """What a queue needs to know of the predictions for its texts: labels, or for slots spans as the store keeps
    them."""

    @property
    def confidence(self) -> NDArray[np.float32]:
        """[texts]: the confidence of each prediction."""

    @property
    def differing(self) -> NDArray[np.bool_]:
        """[texts]: network and rules give different predictions."""

    def prediction(self, place: int) -> str | None:
        """The prediction for a text, as the store would keep it."""


def build_queue(
    records: Sequence[TextRecord], predicted: AnyPredictions, order: Order, *, with_labelled: bool, seed: int = 0
) -> tuple[int, ...]:
    """Ids of the texts that no person has annotated yet, in the order they should be looked at.

    uncertain    the prediction with the least confidence first
    differ       rules and network give different predictions
    mismatch     the prediction is not the text's label
    unlabelled   texts without any label, as they came
    random       shuffled by `seed`

    Texts that came with a label are left out of `uncertain`, `differ` and `random` unless `with_labelled`.
    `predicted` holds the predictions for exactly these records.
    """
    kept = [
        place
        for place, record in enumerate(records)
        if record.annotator is None and belongs(record, predicted, place, order, with_labelled=with_labelled)
    ]
    if order == "random":
        kept = [kept[place] for place in np.random.default_rng(seed).permutation(len(kept))]
    elif order in ("uncertain", "differ", "mismatch"):
        # The most confidently wrong label is the most telling one, and so is the most confidently differing network.
        sign = 1.0 if order == "uncertain" else -1.0
        kept.sort(key=lambda place: sign * float(predicted.confidence[place]))
    return tuple(records[place].id for place in kept)


def belongs(record: TextRecord, predicted: AnyPredictions, place: int, order: Order, *, with_labelled: bool) -> bool:
    """Whether a text that no person has annotated comes in this order."""
    if order == "unlabelled":
        return record.label is None
    if order == "mismatch":
        return record.label is not None and record.label != predicted.prediction(place)
    if record.label is not None and not with_labelled:
        return False
    return order != "differ" or bool(predicted.differing[place])


def why_shown(predicted: Predictions, place: int, record: TextRecord, order: Order) -> str:
    """Why this text comes now, in a sentence."""
    prediction = predicted.prediction(place) or "no prediction"
    if order == "differ":
        return f"Rules and network differ: {predicted.rules_prediction(place) or 'no prediction'} against {prediction}."
    if order == "mismatch":
        if record.label is None:
            return f"It has no label; the prediction is {prediction}."
        return f"The label is {record.label}; the prediction is {prediction}."
    if order == "uncertain":
        return _uncertainty(predicted, place)
    if order == "unlabelled":
        return "It has no label yet."
    return "Drawn at random."


def why_in_queue(predicted: Predictions, place: int, record: TextRecord, person: str) -> str:
    """Why a text is shown in a team's queue, in a sentence."""
    if record.annotator not in (None, person):
        return f"{record.annotator} chose {record.label}; one more annotation is needed."
    if predicted.differing[place]:
        return why_shown(predicted, place, record, "differ")
    return f"{_uncertainty(predicted, place).partition(';')[0].rstrip('.')}."


def _uncertainty(predicted: Predictions, place: int) -> str:
    if predicted.prediction(place) is None:
        return "No rule matches it, so there is no prediction."
    if predicted.ground(place) == "default":
        return f"No rule decides it: {predicted.prediction(place)} is the default label."
    if not predicted.trained:
        return f"Decided by {predicted.ground_in_words(place)}{_measured(predicted, place)}."
    first, *others = predicted.ranked(place, 2)
    if others and first[1] < _SURE:
        return f"Low confidence: {first[0]} {first[1]:.2f}, {others[0][0]} {others[0][1]:.2f}."
    return f"The network's confidence is {first[1]:.2f}; texts with lower confidence come first."


def _measured(predicted: Predictions, place: int) -> str:
    precision = predicted.precision_of(place)
    return "" if precision is None else f", {precision.in_words}"


def offered(record: TextRecord, predicted: Predictions, place: int) -> str | None:
    """The label to confirm: the one the text has, so that no prediction overwrites it unasked, else the prediction."""
    return record.label or predicted.prediction(place)


def proposed(record: TextRecord, predicted: AnyPredictions, place: int, person: str) -> str | None:
    """The label to begin with in a team's queue: that of the data, else the prediction. What another person said is no
    proposal: a second annotation is to be one of its own."""
    if record.annotator not in (None, person):
        return record.gold or predicted.prediction(place)
    return record.label or predicted.prediction(place)


def predicted_rule(predicted: Predictions, place: int) -> str:
    """Who gives the prediction, in words: a trained network, or the rules where both say the same."""
    return "network" if predicted.trained and predicted.differing[place] else "rules"


def choices(labels: Sequence[str], always: Sequence[str | None]) -> tuple[str, ...]:
    """The labels with a button: the first ten, which have a digit and keep it from text to text, so that fingers learn
    them; behind these the labels of `always` that are not among them."""
    return tuple(dict.fromkeys([*labels[:DIGITS], *(label for label in always if label is not None)]))


def changed_since(store: Store, drawn: TextRecord) -> TextRecord | None:
    """The text as it is now, where somebody has given it another label since it was drawn; else None."""
    now = get_text(store, drawn.id)
    return None if (now.label, now.annotator) == (drawn.label, drawn.annotator) else now


def annotate(store: Store, text_id: int, label: str, annotator: str) -> None:
    """Give one text its label. InputError for a label or a name that cannot be used."""
    require_role(store, annotator, "annotator", "label a text")
    record_label(store, text_id, label, annotator)


def annotate_all(store: Store, labels: Sequence[tuple[int, str]], annotator: str) -> int:
    """Give many texts their labels, as (text id, label), all of them or none; how many. One undo takes all
    back."""
    require_role(store, annotator, "reviewer", "accept predictions for many texts at once")
    return len(record_labels(store, labels, annotator, how="accepted"))


@dataclass(frozen=True)
class Added:
    """Texts that were sent to labelling: `text_ids` in the project, `known` counts those that were there
    before."""

    text_ids: tuple[int, ...]
    new: int
    known: int


def send_to_labelling(
    store: Store, project_id: int, texts: Sequence[str], labels: Sequence[str | None] = (), *, person: str
) -> Added:
    """Add texts to the project, with the labels they came with; those that are there already are not
    doubled."""
    given = labels or [None] * len(texts)
    examples = [Example(text, label) for text, label in zip(texts, given, strict=True)]
    return add_new_texts(store, project_id, examples, person=person)


def add_new_texts(store: Store, project_id: int, examples: Sequence[Example], *, person: str) -> Added:
    """Add examples whose texts the project does not have; the first of equal texts wins."""
    require_role(store, person, "reviewer", "add texts to a project")
    there = {record.text for record in texts_of(store, project_id)}
    distinct = {example.text: example for example in reversed(examples)}
    texts = list(dict.fromkeys(example.text for example in examples))
    fresh = [distinct[text] for text in texts if text not in there]
    add_texts(store, project_id, Corpus(tuple(fresh)), person=person)
    ids = {record.text: record.id for record in texts_of(store, project_id)}
    return Added(tuple(ids[text] for text in texts), len(fresh), len(texts) - len(fresh))


@dataclass(frozen=True)
class Undone:
    """What `undo_label` took back: the texts, in the order they were labelled, and the label of the first."""

    text_ids: tuple[int, ...]
    label: str


def undo_label(store: Store, project_id: int, annotator: str) -> Undone | None:
    """Take this person's last label back, or the whole of a bulk acceptance; None where there is nothing."""
    require_role(store, annotator, "annotator", "take a label back")
    events = undo_last_action(store, project_id, annotator)
    if not events:
        return None
    texts = tuple(event.text_id for event in sorted(events, key=lambda event: event.undoes or 0))
    return Undone(texts, events[0].label)


def next_open(store: Store, queue: Sequence[int], start: int) -> int:
    """The first place from `start` on whose text nobody has annotated meanwhile; the queue's length if there is
    none."""
    for place in range(max(0, start), len(queue)):
        if get_text(store, queue[place]).annotator is None:
            return place
    return len(queue)


@dataclass(frozen=True)
class LabellingProgress:
    """How far the labelling of a project is. `people` holds (name, texts), the most diligent first."""

    texts: int
    labelled: int
    people: tuple[tuple[str, int], ...]

    @property
    def annotated(self) -> int:
        """Texts that were given a label by people; one that two people annotated counts for both."""
        return sum(count for _, count in self.people)

    def of(self, person: str) -> int:
        """How many this person has labelled."""
        return dict(self.people).get(person, 0)


def progress(store: Store, project_id: int) -> LabellingProgress:
    """Counts, read fresh from the store."""
    return LabellingProgress(
        texts=count_texts(store, project_id),
        labelled=count_texts(store, project_id, labelled=True),
        people=tuple(labelled_by(store, project_id).items()),
    )
