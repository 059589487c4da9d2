"""From texts with spans to numbers and tags, and from predictions back to spans in characters."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, config_of, disturbed, vocabulary_of
from support.networks.tagger_samples import system_of as system

from re2nn_core.errors import InputError
from re2nn_core.network.ensemble import twin_of
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger
from re2nn_core.services.prediction.slot_filling import encoding as module
from re2nn_core.services.prediction.slot_filling.encoding import (
    TagEncoder,
    TextPrediction,
    labelled,
    predict_tags,
)
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tagged_texts import TaggedText, known_tags, tagged_texts
from re2nn_core.text.tokenization import Tokenization

PUNCTUATION = Tokenization("punctuation")
EXAMPLES = (
    Example("From New York, to Oslo!", spans=(Span(5, 13, "city"), Span(18, 22, "goal"))),
    Example("nothing here", spans=()),
    Example("nobody said"),
    Example("", spans=()),
    Example(" \n", spans=()),
    Example("to  Rome", spans=(Span(4, 8, "town"),)),
)


def bundle_of(tokenization: Tokenization = PUNCTUATION, **form: object) -> TaggerBundle:
    vocabulary = vocabulary_of(system(TRIP), TRIP_TEXTS)
    return build_tagger(TaggerParts(TRIP, "", tokenization, vocabulary, config_of(**form)))


def test_words_and_tags() -> None:
    texts = tagged_texts(EXAMPLES, PUNCTUATION)
    assert [text.words for text in texts] == [
        ("from", "new", "york", ",", "to", "oslo", "!"),
        ("nothing", "here"),
        ("nobody", "said"),
        (),
        (),
        ("to", "rome"),
    ]
    assert [text.tags for text in texts] == [
        ("O", "B-city", "I-city", "O", "O", "B-goal", "O"),
        ("O", "O"),
        None,
        (),
        (),
        ("O", "B-town"),
    ]


def test_a_span_that_cuts_a_word_is_told() -> None:
    with pytest.raises(InputError, match=r"begins at 6, where no word begins; the nearest borders are 5 and 8"):
        tagged_texts([Example("From New York", spans=(Span(6, 8, "city"),))], PUNCTUATION)


def test_tags_of_texts() -> None:
    texts = [TaggedText((), tags) for tags in [("O", "I-b"), None, ("B-c", "I-a", "B-a"), ()]]
    assert known_tags(texts) == ("B-a", "I-a", "B-b", "I-b", "B-c")
    assert known_tags([]) == ()


def test_examples_are_the_marked_texts_that_hold_a_word() -> None:
    bundle = bundle_of()
    given = TagEncoder(bundle).examples(tagged_texts(EXAMPLES, PUNCTUATION), 7)
    assert (len(given), given.measured, given.context) == (3, 7, None)
    assert given.codes[0] == bundle.vocabulary.encode(("from", "new", "york", ",", "to", "oslo", "!"))
    tags = bundle.network.tags
    assert [tags[number] for number in given.numbers[0]] == ["O", "B-city", "I-city", "O", "O", "B-goal", "O"]
    assert given.numbers[2] == [1, 1], "a tag that the network does not know is O for it"
    assert given.tags[2] == ("O", "B-town"), "and stays what it is for measuring"


def test_predictions_are_those_of_the_rules() -> None:
    texts = ["Fly from  New York to Oslo!", "", "   ", "on 3 May, oslo", "nothing"]
    read, _ = read_slot_system(TRIP, "", PUNCTUATION)
    predictions = predict_tags(bundle_of(auxiliary="lstm", decoding="crf"), texts)
    assert [prediction.spans for prediction in predictions] == read.spans(texts)
    assert predictions[1] == predictions[2] == TextPrediction((), (), ())
    assert predictions[1].confidence == 1
    assert len(predictions[0].tags) == len(predictions[0].token_confidences) == 7
    assert predictions[0].confidence == min(predictions[0].token_confidences) < 1
    assert [texts[3][span.start : span.end] for span in predictions[3].spans] == ["3 May", "oslo"]
    assert predict_tags(bundle_of(), []) == []


def test_sureness_is_left_out_where_nobody_asks() -> None:
    texts = ["to oslo", "from a b"]
    confidence, plain = (predict_tags(bundle_of(), texts, with_confidences=wanted) for wanted in (True, False))
    assert [one.tags for one in confidence] == [one.tags for one in plain]
    assert all(prediction.confidence == 1 for prediction in plain)
    assert all(prediction.confidence < 1 for prediction in confidence)


def test_many_texts_are_predicted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [" ".join(text) for text in TRIP_TEXTS]
    bundle = bundle_of()
    wanted, done = predict_tags(bundle, texts), []
    monkeypatch.setattr(module, "AT_ONCE", 2)
    found = predict_tags(bundle, texts, on_progress=lambda so_far, of: done.append((so_far, of)))
    assert [one.tags for one in found] == [one.tags for one in wanted]
    assert [one.spans for one in found] == [one.spans for one in wanted]
    assert done == [(2, 5), (4, 5), (5, 5)]


def test_copies_predict_along() -> None:
    bundle = bundle_of(decoding="crf")
    disturbed(bundle.network, 0.5)
    copies = tuple(disturbed(twin_of(bundle.network), 0.5, seed) for seed in (1, 2))
    alone, together = (predict_tags(one, ["to oslo"])[0] for one in (bundle, replace(bundle, copies=copies)))
    assert alone.token_confidences != together.token_confidences


def test_only_networks_with_vectors_of_words_in_context_ask_for_them() -> None:
    vocabulary = vocabulary_of(system(TRIP), TRIP_TEXTS)
    parts = TaggerParts(TRIP, "", PUNCTUATION, vocabulary, config_of(vectors="context"))
    assert build_tagger(parts, torch.ones(len(vocabulary), 2).numpy()).network.reader.takes_context
    assert not build_tagger(parts).network.reader.takes_context
    assert not bundle_of().network.reader.takes_context
    of_layer = bundle_of(decoding="crf", linear=True, linear_vectors="context").network
    assert (of_layer.takes_context, of_layer.linear_in_context, of_layer.reader.takes_context) == (True, True, False)


def test_labelled_are_those_of_which_somebody_has_spoken() -> None:
    assert [example.text for example in labelled(Corpus(EXAMPLES))] == [
        *("From New York, to Oslo!", "nothing here", "", " \n", "to  Rome"),
    ]
