"""Explanations of predictions for labels: by rules, and by networks of many forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.networks.explained import as_trained
from support.networks.explained_forms import FORMS, TEXT
from support.networks.small_system import LOGIC, RULES, small_system

from re2nn_core.embeddings import context as embeddings_context
from re2nn_core.errors import InputError
from re2nn_core.rules.logic.decisions import Decision
from re2nn_core.services.explanation.classification.decision_reason import label_ties
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.explanation.classification.explanation import LabelSum
from re2nn_core.services.explanation.classification.network_changes import (
    CONTEXT_BUDGET,
)
from re2nn_core.services.explanation.flip import change_in_words
from re2nn_core.services.prediction.classification.predictor import predict


def test_rules_are_explained_by_the_network_that_equals_them() -> None:
    found = Explainer(small_system()).explain(TEXT)
    assert (found.prediction, found.rules_prediction, found.about, found.trained) == ("money", "money", "money", False)
    heat = {word.text: word.heat for word in found.words}
    assert heat == pytest.approx({"how": 1, "much": 1, "is": 0, "the": 0, "flight": 0, "to": 0, "oslo": 0})
    assert [word.known for word in found.words] == [True, True, False, False, True, True, True]
    own = found.sum_of("money")
    assert own is not None
    assert (own.rules, own.logic, own.outside, own.score) == pytest.approx((1, 0, 0, 1))
    travel = found.sum_of("travel")
    assert travel is not None
    assert (travel.rules, travel.logic) == pytest.approx((0, 0.5))  # raised as the default, and beaten by money
    assert [(path.rule, path.label) for path in found.paths if path.steps[0].symbol == "how"] == [("much", "money")]
    path = next(path for path in found.paths if path.rule == "much")
    assert [step.symbol for step in path.steps] == ["how", "much", "$", "$", "$", "$", "$"]
    assert {step.origin for step in path.steps} == {"written"}


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("text", [TEXT, "planes to rome", "zzz", "", "the cost of oslo"])
def test_sums_are_the_scores_of_every_form(form: dict[str, object], text: str) -> None:
    bundle = as_trained(**form)
    found = Explainer(small_system(), bundle).explain(text)
    expected = predict(bundle, [text])
    assert found.prediction == expected.predictions[0]
    for one in found.sums:
        assert one.total == pytest.approx(one.score, abs=1e-9)
        share = expected.label_scores[0][expected.labels.index(one.label)]
        assert one.probability == pytest.approx(share, abs=1e-4)
        assert one.rules == pytest.approx(sum(part.added[one.label] for part in found.parts), abs=1e-9)
    if form.get("copies") is None and form.get("machines") is None:
        written = {rule.name for rule in small_system().ruleset.rules}
        assert {part.rule for part in found.parts} == written


def test_training_is_told_edge_by_edge() -> None:
    found = Explainer(small_system(), as_trained(size=0.4)).explain(TEXT)
    steps = [step for path in found.paths for step in path.steps]
    assert {step.before for step in steps if step.written} <= {1.0, 2.0}
    assert any(step.origin == "written, changed" for step in steps)
    assert any(step.origin == "learned" and step.before == 0.0 for step in steps)
    assert any(part.before != part.after for part in found.parts)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"cell": "gru"}, "Gates (GRU)"),
        ({"bidirectional": True}, "The network reads in both directions"),
        ({"extra_states": 2}, "Extra states belong to no rule"),
        ({"auxiliary": "gru", "dimensions": 4}, "What the auxiliary encoder adds to a score"),
        ({"machines": "label"}, "All rules of a label form one automaton here"),
        ({"copies": 2}, "mean probability of 3 ensemble members"),
        ({"block_diagonal": False}, "Training could connect rules to each other"),
        ({"initial": "random"}, "was not equal to its rules before training"),
    ],
)
def test_what_cannot_be_told_is_said(form: dict[str, object], words: str) -> None:
    notes = Explainer(small_system(), as_trained(**form)).explain(TEXT).notes
    assert any(words in note for note in notes)


def test_what_a_network_learned_outside_the_rules_is_told() -> None:
    found = Explainer(small_system(), as_trained()).explain("")
    assert any(abs(one.outside) > 0.01 for one in found.sums)
    assert "The text has no words" in found.notes[0]


def test_unknown_words_are_told() -> None:
    found = Explainer(small_system()).explain("xyzzy plugh")
    assert found.prediction == "travel"  # the default label
    assert "The rules name none of these words" in found.notes[0]
    assert [word.heat for word in found.words] == [0, 0]
    assert Explainer(small_system("[a]\nr := x\n", "")).explain("y").prediction is None


def test_asking_for_a_label_that_there_is_not() -> None:
    for ask in (Explainer(small_system()).explain, Explainer(small_system()).why_not, Explainer(small_system()).flip):
        with pytest.raises(
            InputError, match=r"There is no label( or rule)? 'nowhere'. The labels are: travel, money\."
        ):
            ask(TEXT, "nowhere")


def test_model_of_other_rules() -> None:
    system = small_system("[a]\nr := x\n", "")
    with pytest.raises(
        InputError, match=r"trained for other labels \(travel, money, other\) than the rules have \(a\)"
    ):
        Explainer(system, as_trained())
    other = small_system("[travel]\nr := x\n", "")
    notes = Explainer(other, as_trained()).explain(TEXT).notes
    assert any("trained from other rules than those chosen" in note for note in notes)


def test_why_not_names_the_word_and_the_smallest_change() -> None:
    found = Explainer(small_system()).why_not("i fly to paris", "to_city")
    assert found.is_rule
    (rule,) = found.rules
    assert rule.death is not None
    assert change_in_words(rule.change) == "replace “paris” by “boston”"
    assert rule.prediction == "travel"
    assert rule.why == "it needs “boston” or “oslo”; the text has none of these"


MUCH = "much matches, so the rules predict money."


GO = "go matches, so the rules predict travel."


@pytest.mark.parametrize(
    ("text", "label", "reasons"),
    [
        (
            "how much is the flight",
            "travel",
            ("Its rules match, but money matches too and has priority over it.", MUCH),
        ),
        ("how much", "money", ("The rules do predict money.",)),
        ("xyz", "travel", ("The rules do predict travel as the default label.",)),
        ("a flight", "money", ("None of its 2 rules matches.", GO)),
        (
            "xyz",
            "money",
            (
                "None of its 2 rules matches.",
                "No rule decides this text, so the prediction is the default label travel.",
            ),
        ),
        ("how much", "price", ("price does not match this text.", MUCH)),
        ("a flight", "go", ("go matches this text.", GO)),
    ],
)
def test_why_a_label_does_not_come_and_who_speaks_instead(text: str, label: str, reasons: tuple[str, ...]) -> None:
    found = Explainer(small_system()).why_not(text, label)
    assert found.reasons == reasons
    assert found.winner is not None
    assert found.winner.prediction == small_system().predictions([text])[0]
    assert found.winner.by_default == (text == "xyz")


def test_order_and_formulas_are_reasons_too() -> None:
    ordered = small_system(logic="")
    reasons = Explainer(ordered).why_not("how much is the flight", "money").reasons
    assert reasons == ("Its rules match, but travel matches too and comes before it.", GO)
    formula = small_system(logic='logic = ["go & !much -> travel", "price -> money"]\n')
    reasons = Explainer(formula).why_not("how much is the flight", "travel").reasons
    assert reasons == (
        "Its formula, go & !much, does not hold: of its rules go, much match.",
        "No rule decides this text and there is no default label, so the rules make no prediction.",
    )
    negated = small_system(logic='logic = ["!go -> travel", "price -> money"]\n')
    assert Explainer(negated).why_not("xyz", "money").reasons[-1] == (
        "The label logic predicts travel: its formula holds without a matching rule."
    )


def test_the_trained_network_says_its_own_prediction() -> None:
    explainer = Explainer(small_system(), as_trained())
    prediction = explainer.explain(TEXT).prediction
    for label in small_system().logic.labels:
        said = explainer.why_not(TEXT, label).reasons[-1]
        verb = "does predict" if label == prediction else "predicts"
        assert said.startswith(f"The trained network {verb} {prediction}, ")


@pytest.mark.parametrize(
    ("expression", "text", "why"),
    [
        ("$* cost $*", "a flight", "it needs “cost”; the text has it nowhere"),
        (
            "$* on % ( may | june ) $*",
            "a day",
            "it needs “on”, and a number (%), and “june” or “may”; the text has none of these",
        ),
        (
            "$* cheap $* flight $*",
            "flight cheap",
            "it matches the whole text and then still needs “flight” after that; “flight” is word 1, too early",
        ),
        ("a b c", "c b a", "it must begin with “a”, but word 1 is “c”"),
        ("a b c", "a c b", "it matches “a” and expects “b” next, but word 2 is “c”"),
        ("a b", "a b a", "it must end after “a b”, but word 3 is “a”"),
        ("a ( b b )?", "a a b", "it matches “a” and expects “b” or the end next, but word 2 is “a”"),
        (
            "a b a b",
            "a b",
            "it matches the whole text and then still needs “a” and 1 word more after that; “a” is word 1, too early",
        ),
        ("$ $ $", "", "the text has no words, and it needs at least 3 words"),
        ("a", "", "the text has no words, and it needs at least 1 word"),
        ("a BOS b", "a", "it accepts no sentence at all"),
        ("a", "a", "it matches"),
    ],
)
def test_why_a_rule_does_not_match(expression: str, text: str, why: str) -> None:
    (rule,) = Explainer(small_system(f"[x]\nr := {expression}\n", "")).why_not(text, "r").rules
    assert rule.why == why


def test_changes_of_neighbours_are_one() -> None:
    (rule,) = Explainer(small_system()).why_not("a flight", "much").rules
    assert change_in_words(rule.change) == "insert “how much” at word 3"
    exact = Explainer(small_system("[x]\nr := a\n", "")).why_not("a b c d", "r")
    assert change_in_words(exact.rules[0].change) == "remove “b c d”"


def test_labels_and_rules_that_say_the_same_are_told() -> None:
    both = "how much is the flight"
    tied = Explainer(small_system(logic="")).explain(both)
    assert tied.ties == (
        "travel and money both match, and none has priority over another: travel comes first in the label logic, so "
        "it is predicted.",
    )
    assert tied.because == GO
    assert Explainer(small_system()).explain(both).ties == ()  # money has priority
    twice = Explainer(small_system()).explain("a flight to fly to oslo")
    assert twice.ties == ("go and to_city add the same to travel, +0.25 each: what is bounded is shared among equals.",)


def test_equal_scores_of_a_network_are_told() -> None:
    sums = [LabelSum(label, score, 0.0, 0.0, score, 0.5) for label, score in (("a", 1.0), ("b", 0.996), ("c", 0.99))]
    decision = Decision("a", ("a", "b"), ())
    assert label_ties(decision, sums, trained=True) == [
        "a and b have the same score, 1.00, to two decimals; further decimals decide."
    ]
    assert label_ties(decision, sums[::2], trained=True) == []
    found = Explainer(small_system(), as_trained()).explain(TEXT)
    assert found.because.startswith(f"The trained network scores {found.prediction} {found.sums[0].total:.2f}, ")


def test_label_that_only_the_network_knows() -> None:
    explainer = Explainer(small_system(), as_trained())
    reasons = explainer.why_not(TEXT, "other").reasons
    assert reasons[0] == "No rule is for other; only the network, which has learned it, can predict it."
    assert reasons[1].startswith("The trained network ")


def test_rules_too_large_for_a_network_are_still_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    from re2nn_core.errors import StateBudgetError
    from re2nn_core.services.explanation.classification import explainers

    def fail(*_: object) -> None:
        raise StateBudgetError(10, "x", "go")

    monkeypatch.setattr(explainers, "_exact", fail)
    explainer = Explainer(small_system())
    found = explainer.explain(TEXT)
    assert (found.prediction, found.sums, found.paths) == ("money", (), ())
    assert "needs more than 10 states" in found.notes[0]
    assert explainer.why_not(TEXT, "travel").rules


def test_words_in_context_are_read_in_their_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """With vectors that depend on the sentence's length: changes and masks are read anew by the encoder."""
    read: list[tuple[str, ...]] = []

    def in_context(sentences: Sequence[Sequence[str]], **_: object) -> list[np.ndarray]:
        read.extend(tuple(sentence) for sentence in sentences)
        random = [np.random.default_rng(len(sentence)) for sentence in sentences]
        return [
            one.normal(size=(len(sentence), 4)).astype(np.float32)
            for one, sentence in zip(random, sentences, strict=True)
        ]

    monkeypatch.setattr(embeddings_context, "in_context", in_context)
    bundle = as_trained(vectors="context", dimensions=4)
    explainer = Explainer(small_system(), bundle)
    found = explainer.explain(TEXT)
    assert found.prediction == predict(bundle, [TEXT]).predictions[0]
    for one in found.sums:
        assert one.total == pytest.approx(one.score, abs=1e-9)
    assert ("how", "unknown", "is", "the", "flight", "to", "oslo") in read
    assert "A word's weights depend on its sentence: those shown hold for this sentence only." in found.notes
    assert explainer.flip(TEXT).looked_at <= CONTEXT_BUDGET


def test_untrained_bundle_is_the_rules() -> None:
    bundle = replace(as_trained(size=0.0), trained=False)
    assert not Explainer(small_system(RULES, LOGIC), bundle).trained
