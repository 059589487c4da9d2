"""In which order texts are given out for labelling: what would teach the most comes first.

The answer is a list of text ids for `store.open_queue`. `labelling.build_queue` has the orders of one person's page;
here are those that a team's queue knows besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans
from sklearn.feature_extraction.text import HashingVectorizer

from re2nn_core.errors import InputError
from re2nn_core.services.annotation.classification import AnyPredictions
from re2nn_core.store import TextRecord

QueueOrder = Literal["uncertain", "differ", "versions", "rare", "diverse", "random", "first"]
QUEUE_ORDERS: tuple[QueueOrder, ...] = get_args(QueueOrder)
_GROUPS, _FEATURES = 40, 2**12


@dataclass(frozen=True)
class OrderNeeds:
    """What orders look at. `records` are the texts to assign; `predicted` holds the answers for exactly these, and
    `before` and `after` (`predicted`, where it is None) those of two versions of the rules. `labels`: the labels that
    all texts of the project have now."""

    records: Sequence[TextRecord]
    predicted: AnyPredictions | None = None
    before: AnyPredictions | None = None
    labels: Collection[str | None] = ()
    seed: int = 0
    after: AnyPredictions | None = None


def queue_order(order: QueueOrder, needs: OrderNeeds, *, changed: Collection[int] = ()) -> tuple[int, ...]:
    """Ids of the texts in the order they should be looked at. InputError where the order needs what was not given.

    uncertain   the prediction with the least confidence first
    differ      those on which rules and network differ, the most confident first
    versions    those for which two rule versions have different predictions
    rare        the label that fewest texts have first
    diverse     one of each group of similar texts in turns
    random      shuffled
    first       as they came

    Texts whose answer a change altered (`changed`: their ids) come in front of all, in the same order among themselves.
    """
    if order not in _RANKS:
        raise InputError(f"There is no order {order!r}. Choose one of {', '.join(QUEUE_ORDERS)}.")
    if not needs.records:
        return ()
    ids = [needs.records[place].id for place in _RANKS[order](needs)]
    in_front = set(changed)
    return tuple(sorted(ids, key=lambda text_id: text_id not in in_front))


def changed_predictions(
    records: Sequence[TextRecord], before: AnyPredictions, after: AnyPredictions
) -> tuple[int, ...]:
    """Ids of the texts that are answered differently: by two versions of the rules, by rules and a network, or by rules
    and those that were read out of a network."""
    return tuple(
        record.id for place, record in enumerate(records) if before.prediction(place) != after.prediction(place)
    )


def _uncertain(needs: OrderNeeds) -> Sequence[int]:
    return [int(place) for place in np.argsort(_predictions(needs).confidence, kind="stable")]


def _differ(needs: OrderNeeds) -> Sequence[int]:
    """Those that differ in front, the most confident of them first: there one of the two is most confidently wrong."""
    predicted = _predictions(needs)
    return _in_front(predicted.differing, -predicted.confidence)


def _versions(needs: OrderNeeds) -> Sequence[int]:
    predicted, before = _predictions(needs), needs.before
    after = needs.after or predicted
    if before is None:
        raise InputError("The order 'versions' compares two rule versions. Choose the older one.")
    differing = [before.prediction(place) != after.prediction(place) for place in range(len(needs.records))]
    return _in_front(np.asarray(differing), -predicted.confidence)


def _rare(needs: OrderNeeds) -> Sequence[int]:
    """By how many texts have the label that is the answer; of one label the least confident first."""
    predicted, counts = _predictions(needs), Counter(needs.labels)
    places = range(len(needs.records))
    return sorted(places, key=lambda place: (counts[predicted.prediction(place)], float(predicted.confidence[place])))


def _diverse(needs: OrderNeeds) -> Sequence[int]:
    """One text of each group in turns, the largest group first; in a group the text nearest to its middle first."""
    words = HashingVectorizer(n_features=_FEATURES, alternate_sign=False, analyzer=str.split)
    features = words.transform([record.text for record in needs.records])
    groups = min(_GROUPS, len(needs.records))
    fitted = MiniBatchKMeans(groups, random_state=needs.seed, n_init=1, batch_size=1024).fit(features)
    distance = fitted.transform(features)[np.arange(len(needs.records)), fitted.labels_]  # [texts]
    sizes = np.bincount(fitted.labels_, minlength=groups)
    turn = np.empty(len(needs.records), dtype=np.int64)
    for group in range(groups):
        members = np.flatnonzero(fitted.labels_ == group)
        turn[members[np.argsort(distance[members], kind="stable")]] = np.arange(len(members))
    return [int(place) for place in np.lexsort((fitted.labels_, -sizes[fitted.labels_], turn))]


def _random(needs: OrderNeeds) -> Sequence[int]:
    return [int(place) for place in np.random.default_rng(needs.seed).permutation(len(needs.records))]


def _first(needs: OrderNeeds) -> Sequence[int]:
    return range(len(needs.records))


_RANKS: dict[str, Callable[[OrderNeeds], Sequence[int]]] = {
    "uncertain": _uncertain,
    "differ": _differ,
    "versions": _versions,
    "rare": _rare,
    "diverse": _diverse,
    "random": _random,
    "first": _first,
}


def _predictions(needs: OrderNeeds) -> AnyPredictions:
    if needs.predicted is None:
        raise InputError("This order needs the predictions of rules or of a network. Choose a model.")
    return needs.predicted


def _in_front(flags: NDArray[np.bool_], then: NDArray[np.float32]) -> Sequence[int]:
    """Places with the flag in front, each part by `then`."""
    return [int(place) for place in np.lexsort((then, ~flags))]
