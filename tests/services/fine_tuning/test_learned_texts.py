"""What a run has learned from, and what that means for figures on other texts."""

from __future__ import annotations

import pytest
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.services.fine_tuning.run_comparison import Learned, Seen, learned_texts, seen_in_training
from re2nn_core.store import Store, record_label, texts_of


@pytest.mark.parametrize(("copies", "splits"), [(1, ("train",)), (2, ("train", "dev"))])
def test_a_run_has_learned_from_the_labelled_texts_of_its_time(
    store: Store, copies: int, splits: tuple[str, ...]
) -> None:
    """From train, and from dev too where several networks take turns; never from test."""
    project = learnable_project(store, unlabelled=2)
    run = finished_run(store, project, train={"copies": copies})
    before = texts_of(store, project.id)
    train = {one.text for one in before if one.split in splits}
    assert learned_texts(run, before) == Learned(frozenset(train), "dev" in splits)
    # A label that came later is none that it has learned.
    record_label(store, before[-1].id, "money", "Ann")
    assert learned_texts(run, texts_of(store, project.id)).texts == train


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (Seen(0, 80, 0.9), ""),
        (Seen(9, 80, 0.958), "9 of these 80 labelled texts were trained on; without them 95.8%."),
        (Seen(1, 2, 0.5), "1 of these 2 labelled texts was trained on; without them 50.0%."),
        (Seen(80, 80, None), "All of these 80 labelled texts were trained on."),
        (Seen(1, 1, None), "This labelled text was trained on."),
    ],
)
def test_in_words(seen: Seen, said: str) -> None:
    assert seen.in_words("{:.1%}".format) == said


def test_texts_are_counted_as_often_as_they_are_there() -> None:
    texts, labelled = ("a", "a", "b", "c"), (True, True, True, False)
    found = seen_in_training({"a", "c"}, texts, labelled, lambda of: sum(of) / 4)
    assert found == Seen(2, 3, 0.25)
