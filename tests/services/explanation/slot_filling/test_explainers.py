"""Explanations of tags: by rules, and by taggers of many forms."""

from __future__ import annotations

import pytest
from support.networks.explained import tagger_as_trained
from support.networks.tagger_samples import (
    TRIP,
    TRIP_TEXTS,
    predictions_of,
    sample_system,
    system_of,
    tagger_of,
    vocabulary_of,
)

from re2nn_core.errors import InputError
from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags

FORMS: tuple[dict[str, object], ...] = (
    {},
    {"transducer": "ifst"},
    {"decoding": "crf"},
    {"auxiliary": "lstm", "decoding": "crf"},
    {"auxiliary": "lstm", "detached": True},
    {"cell": "gru"},
    {"extra_tags": ("B-wine", "I-wine")},
)


def test_rules_are_explained_by_the_tagger_that_equals_them() -> None:
    found = SlotExplainer(system_of(TRIP, 'priorities = ["goal > city"]\n')).explain("to oslo on 3 may")
    assert found.tags == found.rules_tags == ("O", "B-goal", "O", "B-date", "I-date")
    oslo = found.words[1]
    assert set(oslo.added) == {"to_city"}
    assert oslo.votes == {"B-goal": ("to_city",), "B-city": ("city",), "OO": ("date",)}
    assert [(span.slot, span.first, span.end) for span in found.spans] == [("goal", 1, 2), ("date", 3, 5)]
    heats = found.spans[0].heats
    assert heats[0] > 1
    assert heats[1] > 1
    assert heats[2:] == pytest.approx((0, 0, 0))
    path = next(path for path in found.paths if path.rule == "date")
    assert [(step.symbol, step.tag) for step in path.steps] == [
        ("$", "O"),
        ("$", "O"),
        ("on", "O"),
        ("%", "B-date"),
        ("may", "I-date"),
    ]


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("text", [" ".join(TRIP_TEXTS[0]), "xyzzy", ""])
def test_sums_are_the_scores_and_tags_the_prediction(form: dict[str, object], text: str) -> None:
    bundle = tagger_as_trained(**form)
    found = SlotExplainer(system_of(TRIP), bundle).explain(text)
    (prediction,) = predict_tags(bundle, [text])
    assert found.tags == prediction.tags
    for word, confidence in zip(found.words, prediction.token_confidences, strict=True):
        for one in word.sums:
            assert one.rules + one.outside == pytest.approx(one.score, abs=1e-9)
        share = sum(one.probability for one in word.sums if ("O" if one.tag == "OO" else one.tag) == word.tag)
        assert share == pytest.approx(confidence, abs=1e-4)


@pytest.mark.parametrize("text", ["", "  ", "\u200b"])
def test_a_text_without_words_among_many_rules(text: str) -> None:
    """Many rules are computed in groups, where a batch without a word is a case of its own."""
    system = sample_system("flight_slots")
    found = SlotExplainer(system).explain(text)
    assert (found.words, found.notes[0]) == ((), "The text has no words, so there is nothing to tag.")
    vocabulary = vocabulary_of(system, [])
    assert predictions_of(tagger_of(system, vocabulary), vocabulary, [[]]) == [()]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"auxiliary": "lstm"}, "What the auxiliary encoder adds to a score"),
        ({"decoding": "crf"}, "A chain (CRF) chooses all tags"),
        ({"cell": "gru"}, "Gates (GRU)"),
        ({"auxiliary": "lstm", "detached": True}, "their votes count as one decision"),
        ({"activation": "tanh"}, "States are not clamped here"),
    ],
)
def test_what_cannot_be_told_is_said(form: dict[str, object], words: str) -> None:
    notes = SlotExplainer(system_of(TRIP), tagger_as_trained(**form)).explain("to oslo").notes
    assert any(words in note for note in notes)


def test_why_not_a_slot() -> None:
    explainer = SlotExplainer(system_of(TRIP, 'priorities = ["goal > city"]\n'))
    lost = explainer.why_not("to oslo", "city")
    assert lost.reasons[0].startswith("city matches “oslo” as city, but goal is predicted")
    assert lost.reasons[1] == "The rules give goal: oslo (by to_city)."
    missing = explainer.why_not("to oslo", "date")
    assert missing.reasons == (
        "date, the one rule that gives date, does not match.",
        "The rules give goal: oslo (by to_city).",
    )
    (rule,) = missing.rules
    assert rule.change is not None
    assert rule.prediction == "goal: oslo; date: 7 june"
    assert explainer.why_not("to oslo", "goal").reasons[0] == "The rules do give goal here."
    assert explainer.why_not("nothing", "city").reasons == (
        "None of the 2 rules that give city matches.",
        "The rules give no span: every word is O.",
    )


def test_equal_votes_and_what_decides_are_told() -> None:
    tied = SlotExplainer(system_of(TRIP)).explain("to oslo")
    assert tied.ties == ("“oslo”: city and goal have 1 vote each; city is predicted, because the rules name it first.",)
    assert SlotExplainer(system_of(TRIP, 'priorities = ["goal > city"]\n')).explain("to oslo").ties == ()
    outside = "[slots]\na := $* [ x ]<one> $*\nb := $* x<:>O $*\n"
    reported = SlotExplainer(system_of(outside)).explain("x y")
    assert reported.tags[0] == "O"
    assert reported.ties == (
        "“x”: O and one have 1 vote each; O is predicted, because O comes first with equal votes.",
    )


def test_the_trained_tagger_says_its_own_prediction() -> None:
    bundle = tagger_as_trained()
    explainer = SlotExplainer(system_of(TRIP), bundle)
    (prediction,) = predict_tags(bundle, ["to oslo"])
    said = explainer.why_not("to oslo", "date").reasons[-1]
    given = {span.slot for span in prediction.spans}
    assert said.startswith("The trained network does give " if "date" in given else "The trained network gives ")


def test_asking_for_a_slot_that_there_is_not() -> None:
    explainer = SlotExplainer(system_of(TRIP))
    for ask in (explainer.why_not, explainer.flip):
        with pytest.raises(InputError, match=r"There is no slot( or rule)? 'wine'. The slots are: city, goal, date\."):
            ask("to oslo", "wine")
    with pytest.raises(InputError, match="must be 1 change or more"):
        explainer.flip("to oslo", budget=-1)


def test_model_of_other_slots() -> None:
    other = system_of("[slots]\nr := $* [ x ]<wine> $*\n")
    with pytest.raises(InputError, match=r"trained for other slots \(city, goal, date\) than the rules have \(wine\)"):
        SlotExplainer(other, tagger_as_trained())


@pytest.mark.parametrize("wanted", [None, "date", "goal"])
def test_smallest_change_is_what_the_rules_then_predict(wanted: str | None) -> None:
    system = system_of(TRIP, 'priorities = ["goal > city"]\n')
    flip = SlotExplainer(system).flip("from oslo", wanted)
    assert flip.change is not None
    (tags,) = system.tags_of_words([flip.change.words])
    assert wanted is None or f"B-{wanted}" in tags
    assert flip.before == "city: oslo"
    assert flip.after != flip.before
    assert flip.smallest


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_smallest_change_of_the_taggers_prediction(form: dict[str, object]) -> None:
    bundle = tagger_as_trained(**form)
    flip = SlotExplainer(system_of(TRIP), bundle).flip("to oslo on 3 may")
    assert flip.change is not None
    (prediction,) = predict_tags(bundle, [" ".join(flip.change.words)])
    assert [span.slot for span in prediction.spans] == [
        part.partition(":")[0] for part in (flip.after or "").split("; ")
    ]
