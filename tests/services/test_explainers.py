"""Explanations of answers for labels: by rules, and by networks of many forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from explained import as_trained
from small_system import LOGIC, RULES, small_corpus, small_system

from re2nn_core.embeddings import context as embeddings_context
from re2nn_core.errors import InputError
from re2nn_core.services.explainers import Explainer
from re2nn_core.services.explanation import change_in_words, death_in_words
from re2nn_core.services.network_changes import CONTEXT_BUDGET
from re2nn_core.services.prediction import predict

TEXT = "how much is the flight to oslo"
FORMS: tuple[dict[str, object], ...] = (
    {},
    {"cell": "gru"},
    {"bidirectional": True},
    {"machines": "label"},
    {"decomposed": False, "train_words": False},
    {"extra_states": 2},
    {"scoring": "viterbi"},
    {"aggregation": "layers"},
    {"copies": 2},
)


def test_rules_are_explained_by_the_network_that_equals_them() -> None:
    found = Explainer(small_system()).explain(TEXT)
    assert (found.answer, found.rules_answer, found.about, found.trained) == ("money", "money", "money", False)
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
    assert found.answer == expected.answers[0]
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
        ({"bidirectional": True}, "A second reader runs from the right"),
        ({"extra_states": 2}, "Extra states belong to no rule"),
        ({"machines": "label"}, "All rules of a label are one machine here"),
        ({"copies": 2}, "3 networks answer together"),
        ({"keep_blocks": False}, "Training could join rules to each other"),
        ({"initial": "random"}, "did not begin equal to its rules"),
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
    assert found.answer == "travel"  # the default label
    assert "The rules name none of these words" in found.notes[0]
    assert [word.heat for word in found.words] == [0, 0]
    assert Explainer(small_system("[a]\nr := x\n", "")).explain("y").answer is None


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
    assert change_in_words(rule.change) == "“paris” becomes “boston”"
    assert rule.answer == "travel"
    assert "expected there" in death_in_words(rule.death)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("how much is the flight", "travel", "Its rules match, but money speaks too and has priority over it."),
        ("how much", "money", "The rules do answer money."),
        ("xyz", "travel", "The rules do answer travel as the default label."),
        ("a flight", "money", "None of its 2 rules matches."),
    ],
)
def test_why_a_label_does_not_come(text: str, label: str, reason: str) -> None:
    assert Explainer(small_system()).why_not(text, label).reasons == (reason,)


def test_order_and_formulas_are_reasons_too() -> None:
    ordered = small_system(logic="")
    reasons = Explainer(ordered).why_not("how much is the flight", "money").reasons
    assert reasons == ("Its rules match, but travel stands before it and speaks too.",)
    formula = small_system(logic='logic = ["go & !much -> travel", "price -> money"]\n')
    reasons = Explainer(formula).why_not("how much is the flight", "travel").reasons
    assert reasons == ("Its formula, go & !much, does not hold: of its rules go, much match.",)


def test_label_that_only_the_network_knows() -> None:
    explainer = Explainer(small_system(), as_trained())
    assert explainer.why_not(TEXT, "other").reasons == (
        "No rule speaks for other; only the network, which has learned it, can give it.",
    )


@pytest.mark.parametrize("example", small_corpus().examples[::9], ids=lambda example: example.text)
def test_smallest_change_of_the_rules_answer(example: object) -> None:
    system = small_system()
    for wanted in (None, *system.logic.labels):
        flip = Explainer(system).flip(example.text, wanted)
        if flip.change is None:
            assert flip.before == wanted
            continue
        (after,) = system.answers([" ".join(flip.change.words)])
        assert after == flip.after
        assert after != flip.before
        assert wanted is None or after == wanted
        assert flip.smallest


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_smallest_change_of_the_networks_answer(form: dict[str, object]) -> None:
    bundle = as_trained(**form)
    explainer = Explainer(small_system(), bundle)
    for text in ("a flight to oslo please", "how much to rome"):
        flip = explainer.flip(text)
        assert flip.by_network
        if flip.change is None:
            assert flip.sentence.startswith("No change of one word does it; ")
            continue
        assert predict(bundle, [" ".join(flip.change.words)]).answers[0] == flip.after != flip.before


def test_a_budget_that_is_used_up_is_told() -> None:
    flip = Explainer(small_system(), as_trained(size=0.0)).flip("a flight to oslo please", "other", budget=40)
    assert flip.change is None
    assert not flip.smallest
    assert flip.looked_at <= 40
    assert "Not every word was tried: the budget of the search was used up" in flip.sentence
    with pytest.raises(InputError, match="must be 1 change or more"):
        Explainer(small_system()).flip(TEXT, budget=0)


def test_rules_too_large_for_a_network_are_still_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    from re2nn_core.errors import StateBudgetError
    from re2nn_core.services import explainers

    def fail(*_: object) -> None:
        raise StateBudgetError(10, "x", "go")

    monkeypatch.setattr(explainers, "_exact", fail)
    explainer = Explainer(small_system())
    found = explainer.explain(TEXT)
    assert (found.answer, found.sums, found.paths) == ("money", (), ())
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
    assert found.answer == predict(bundle, [TEXT]).answers[0]
    for one in found.sums:
        assert one.total == pytest.approx(one.score, abs=1e-9)
    assert ("how", "unknown", "is", "the", "flight", "to", "oslo") in read
    assert "A word's weights depend on its sentence: those shown hold for this sentence only." in found.notes
    assert explainer.flip(TEXT).looked_at <= CONTEXT_BUDGET


def test_untrained_bundle_is_the_rules() -> None:
    bundle = replace(as_trained(size=0.0), trained=False)
    assert not Explainer(small_system(RULES, LOGIC), bundle).trained
