"""The orders of a team's queue, on predictions that are written down here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.services.annotation.queue_orders import (
    QUEUE_ORDERS,
    OrderNeeds,
    QueueOrder,
    changed_predictions,
    queue_order,
)
from re2nn_core.store import TextRecord


@dataclass(frozen=True)
class TagsByText:
    """AnyPredictions as (label, how sure, rules and network differ)."""

    predictions: tuple[tuple[str | None, float, bool], ...]

    @property
    def confidence(self) -> NDArray[np.float32]:
        return np.asarray([confidence for _, confidence, _ in self.predictions], dtype=np.float32)

    @property
    def differing(self) -> NDArray[np.bool_]:
        return np.asarray([differs for *_, differs in self.predictions])

    def prediction(self, place: int) -> str | None:
        return self.predictions[place][0]


TEXTS = ("a flight", "a fare", "the flight", "a meal", "the fare")
RECORDS = tuple(TextRecord(10 + place, 1, place, text, None, None, None, None) for place, text in enumerate(TEXTS))
NOW = TagsByText(
    (("flight", 0.9, False), ("fare", 0.5, True), ("flight", 0.6, True), ("meal", 0.8, False), (None, 0.1, True))
)
BEFORE = TagsByText(
    (("flight", 1, False), ("flight", 1, False), ("flight", 1, False), ("fare", 1, False), (None, 1, False))
)
NEEDS = OrderNeeds(RECORDS, NOW, BEFORE, ["flight"] * 5 + ["fare"] * 2 + ["meal"])


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        ("uncertain", (14, 11, 12, 13, 10)),
        ("differ", (12, 11, 14, 10, 13)),
        ("versions", (13, 11, 10, 12, 14)),
        ("rare", (14, 13, 11, 12, 10)),
        ("first", (10, 11, 12, 13, 14)),
    ],
)
def test_orders(order: QueueOrder, ids: tuple[int, ...]) -> None:
    assert queue_order(order, NEEDS) == ids


@pytest.mark.parametrize("order", QUEUE_ORDERS)
def test_every_order_gives_every_text_once_and_the_same_each_time(order: QueueOrder) -> None:
    ids = queue_order(order, NEEDS)
    assert sorted(ids) == [10, 11, 12, 13, 14]
    assert queue_order(order, NEEDS) == ids
    assert queue_order(order, OrderNeeds((), NOW)) == ()


@pytest.mark.parametrize("order", QUEUE_ORDERS)
def test_texts_with_a_changed_prediction_come_first(order: QueueOrder) -> None:
    changed = changed_predictions(RECORDS, BEFORE, NOW)
    assert changed == (11, 13)
    plain = queue_order(order, NEEDS)
    expected = [text for text in plain if text in changed] + [text for text in plain if text not in changed]
    assert queue_order(order, NEEDS, changed=changed) == tuple(expected)


def test_diverse_texts_come_from_every_group_first() -> None:
    kinds = ("show me flights to oslo", "how much is a fare", "what meals are there")
    texts = [kinds[0]] * 90 + [kinds[1]] * 6 + [kinds[2]] * 4
    records = tuple(TextRecord(n, 1, n, text, None, None, None, None) for n, text in enumerate(texts))
    first = queue_order("diverse", OrderNeeds(records))[:3]
    assert {texts[text_id] for text_id in first} == set(kinds)


def test_random_hangs_on_the_seed_alone() -> None:
    records = tuple(TextRecord(n, 1, n, "t", None, None, None, None) for n in range(50))
    orders = [queue_order("random", OrderNeeds(records, seed=seed)) for seed in (0, 1)]
    assert orders[0] != orders[1] != tuple(range(50))


def test_what_an_order_needs_is_asked_for() -> None:
    with pytest.raises(InputError, match="needs the predictions of rules or of a network. Choose a model."):
        queue_order("uncertain", OrderNeeds(RECORDS))
    with pytest.raises(InputError, match="'versions' compares two rule versions. Choose the older one."):
        queue_order("versions", OrderNeeds(RECORDS, NOW))
    with pytest.raises(InputError, match="There is no order 'x'. Choose one of uncertain, differ"):
        queue_order("x", NEEDS)  # type: ignore[arg-type]
