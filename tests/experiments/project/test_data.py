"""Which texts of a project are learned from, which are measured on, and what is reported where there are too few."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_experiment import examples
from support.networks.small_system import small_system

from re2nn_core.errors import InputError
from re2nn_core.experiments.project.data import drawable, project_data, too_few
from re2nn_core.text.corpus import Corpus, Example

TRAIN, DEV, TEST = (examples(split) for split in ("train", "dev", "test"))


def corpus(*parts: tuple[Example, ...]) -> Corpus:
    return Corpus(tuple(example for part in parts for example in part))


def texts(found: tuple[Example, ...]) -> list[str]:
    return [example.text for example in found]


def test_dev_texts_are_measured_on_and_test_texts_beside() -> None:
    found = project_data("p", small_system(), corpus(TRAIN, DEV, TEST))
    assert (found.measured, found.data.dev, found.beside) == ("dev", (), TEST)
    assert texts(found.data.train) == texts(TRAIN)
    assert texts(found.data.test) == texts(DEV)
    assert {example.split for example in found.data.test} == {"test"}
    assert found.in_words == "Measured on the 40 held-out dev texts and the 32 held-out test texts."


def test_without_test_texts_that_is_told() -> None:
    found = project_data("p", small_system(), corpus(TRAIN, DEV))
    assert (found.measured, found.beside) == ("dev", ())
    assert "the 40 held-out dev texts (none has the split test)" in found.in_words


def test_a_handful_of_dev_texts_is_learned_from() -> None:
    found = project_data("p", small_system(), corpus(TRAIN, DEV[:19], TEST))
    assert (found.measured, found.beside) == ("test", ())
    assert texts(found.data.train) == texts((*TRAIN, *DEV[:19]))
    assert {example.split for example in found.data.train} == {"train"}
    assert "the 32 held-out test texts, because few or none have the split dev" in found.in_words


def test_without_dev_and_test_every_fifth_text_is_set_apart() -> None:
    unsplit = tuple(replace(example, split=None) for example in TRAIN[:50])
    found = project_data("p", small_system(), corpus(unsplit))
    assert found.measured == "set apart"
    assert texts(found.data.test) == texts(TRAIN[4:50:5])
    assert not set(texts(found.data.train)) & set(texts(found.data.test))
    assert len(found.data.train) == 40
    assert "Measured on 10 held-out labelled texts, every fifth one" in found.in_words


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            corpus(TRAIN[:28], DEV),
            "There are 28 labelled texts to draw from; at least 40 are needed. Label or add 12 more.",
        ),
        (corpus(TRAIN[:48]), "There are 48 labelled texts to draw from; at least 49 are needed. Label or add 1 more."),
        (
            corpus(TRAIN[:1], TEST),
            "There is 1 labelled text to draw from; at least 40 are needed. Label or add 39 more.",
        ),
        (Corpus(()), "There are 0 labelled texts to draw from; at least 49 are needed. Label or add 49 more."),
        (
            corpus(tuple(e for e in TRAIN if e.label == "money"), DEV),
            "All 160 labelled texts to draw from carry the label money. Label some of another label.",
        ),
    ],
)
def test_too_few_texts_are_told_with_what_is_missing(given: Corpus, message: str) -> None:
    assert too_few(given) == message
    with pytest.raises(InputError, match="Label"):
        project_data("p", small_system(), given)


def test_enough_is_enough() -> None:
    assert too_few(corpus(TRAIN[:40], DEV)) is None
    assert too_few(corpus(TRAIN[:49])) is None


def test_texts_without_a_label_do_not_count() -> None:
    bare = tuple(replace(example, label=None) for example in TRAIN)
    found = project_data("p", small_system(), corpus(bare, TRAIN[:40], DEV))
    assert len(found.data.train) == 40


def test_portions_that_are_too_small_are_left_out() -> None:
    data = project_data("p", small_system(), corpus(TRAIN[:40], DEV)).data
    assert drawable(data, (0.1, 0.3, 1.0), (0, 1)) == (0.3, 1.0)


def test_portions_of_one_label_are_left_out() -> None:
    """Some draw of twelve from 119 of a label and one of another has no other label."""
    rare = (*[e for e in TRAIN if e.label == "money"][:119], TRAIN[0])
    data = project_data("p", small_system(), corpus(rare, DEV)).data
    assert drawable(data, (0.1, 1.0), (0, 1, 2)) == (1.0,)
