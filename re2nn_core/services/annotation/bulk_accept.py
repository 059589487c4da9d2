"""Bulk acceptance: the predictions for all open texts that a rule (or a label's rules) decides, taken over as one
action after a look at some of them.

Open are texts that the queue still gives out and that nobody has annotated, flagged or has in hand. What somebody else
takes between the look and the acceptance stays theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import TagReader
from re2nn_core.errors import InputError
from re2nn_core.services.annotation.classification import AnyPredictions
from re2nn_core.services.annotation.queue_work import names_in_words
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, Spans
from re2nn_core.services.team.people import require_role
from re2nn_core.store import Store, get_queue, open_texts, record_open_labels, waiting_for
from re2nn_core.text.spans import spans_of

SAMPLE = 10
ASKED_FROM = 10  # more predictions than this are asked for once more
_DOING = "accept predictions for many texts at once"


@dataclass(frozen=True)
class BulkMatches:
    """The open texts that a choice hits. `places` of those whose prediction it decides; `ids` by place; `predictions`:
    how often each is given, the most frequent first; `others`: open texts that it hits and that get another prediction,
    or came with another label: to take these over unseen would be too bold."""

    places: tuple[int, ...]
    ids: Mapping[int, int]
    predictions: tuple[tuple[str, int], ...]
    others: int

    def __len__(self) -> int:
        return len(self.places)

    def sample(self, seed: int = 0, most: int = SAMPLE) -> tuple[int, ...]:
        """Some of the places, drawn at random, in their order."""
        drawn = np.random.default_rng(seed).permutation(len(self.places))[:most]
        return tuple(sorted(self.places[number] for number in drawn))


def label_matches(
    store: Store,
    project_id: int,
    person: str,
    predicted: Predictions,
    *,
    rule: str | None = None,
    label: str | None = None,
) -> BulkMatches:
    """What a rule, or all rules of a label, decide among the open texts of a project with labels."""
    if rule is not None:
        _known("rule", rule, predicted.system.rule_names)
        number = predicted.system.rule_names.index(rule)
        hit = predicted.matched[:, number]
        decided = [place for place, name in enumerate(predicted.labels) if number in predicted.rules_for[name]]
        decides = hit & np.isin(predicted.predictions, decided)
    else:
        _known("label", label, predicted.labels)
        hit = decides = predicted.predictions == predicted.labels.index(str(label))
    found = _matches(store, project_id, person, predicted, hit, lambda place: bool(decides[place]))
    counts = Counter(predicted.prediction(place) or "" for place in found.places)
    return BulkMatches(found.places, found.ids, tuple(counts.most_common()), found.others)


def slot_matches(
    store: Store,
    project_id: int,
    person: str,
    predicted: SpanPredictions,
    *,
    rule: str | None = None,
    label: str | None = None,
) -> BulkMatches:
    """What a rule, or a slot, marks among the open texts of a project for slots. A rule decides a text where the
    prediction has all that it marks."""
    if rule is not None:
        _known("rule", rule, predicted.system.rule_names)
        marked = spans_of_rule(predicted, rule)
    else:
        _known("slot", label, predicted.slots)
        marked = [tuple(span for span in spans if span.slot == label) for spans in predicted.spans]
    hit = np.fromiter((bool(spans) for spans in marked), np.bool_, len(marked))
    found = _matches(
        store, project_id, person, predicted, hit, lambda place: set(marked[place]) <= set(predicted.spans[place])
    )
    counts = Counter(span.slot for place in found.places for span in predicted.spans[place])
    return BulkMatches(found.places, found.ids, tuple(counts.most_common()), found.others)


def spans_of_rule(predicted: SpanPredictions, rule: str) -> list[Spans]:
    """For each text what the rule alone would mark in it."""
    system = predicted.system
    trees = dict(system.trees)
    reader = TagReader([trees[rule]], (rule,))
    place = system.rule_names.index(rule)
    return [
        spans_of(system.decide(words, [replace(one, rule=place) for one in readings]), tokens) if readings else ()
        for tokens, words, readings in zip(predicted.tokens, predicted.words, reader.read(predicted.words), strict=True)
    ]


@dataclass(frozen=True)
class Terms:
    """What an acceptance of all hits means for the queue, in sentences; `bold`: it should be asked for once more, and
    why."""

    sentences: tuple[str, ...]
    bold: str = ""


def terms_of(store: Store, project_id: int, person: str, matches: BulkMatches) -> Terms:
    """What the queue makes of the acceptance: an annotation of each text, beside or in the place of other people's."""
    queue = get_queue(store, project_id)
    if queue is None:
        return Terms(())
    reported, names = [], [name for name in waiting_for(store, project_id) if name not in ("", person)]
    if queue.overlap > 1:
        reported.append(f"Each accepted prediction counts as one of {queue.overlap} annotations of its text.")
    if names:
        whose = names_in_words(names)
        reported.append(f"The queue is assigned to {whose}: your annotation replaces one of theirs.")
    if queue.blind:
        reported.append(
            "The queue is blind: annotators work independently, and these predictions are the rules’ or the network’s."
        )
    if (names or queue.blind) and len(matches):
        return Terms(tuple(reported), f"Count my {len(matches):,} as annotations of this queue")
    if len(matches) > ASKED_FROM:
        return Terms(tuple(reported), f"I looked at the sample; accept all {len(matches):,}")
    return Terms(tuple(reported))


def accept_matches(store: Store, person: str, matches: BulkMatches, predicted: AnyPredictions) -> int:
    """Give all these texts their predictions as one action, taken back by one undo; how many got theirs."""
    require_role(store, person, "reviewer", _DOING)
    labels = [(matches.ids[place], predicted.prediction(place) or "") for place in matches.places]
    return len(record_open_labels(store, labels, person, how="accepted", first_only=True))


def _matches(
    store: Store,
    project_id: int,
    person: str,
    predicted: AnyPredictions,
    hit: NDArray[np.bool_],
    decides: Callable[[int], bool],
) -> BulkMatches:
    require_role(store, person, "reviewer", _DOING)
    there = open_texts(store, project_id, person)
    # Texts that were added since the predictions were made have none yet.
    open_places = [place for place in there if place < len(hit) and hit[place]]
    places = tuple(p for p in open_places if decides(p) and there[p].label in (None, predicted.prediction(p)))
    return BulkMatches(places, {place: there[place].id for place in places}, (), len(open_places) - len(places))


def _known(what: str, name: str | None, known: Sequence[str]) -> None:
    if name not in known:
        some = ", ".join(known[:SAMPLE]) or "none"
        raise InputError(f"There is no {what} {name!r} in these rules. Choose one of: {some}.")
