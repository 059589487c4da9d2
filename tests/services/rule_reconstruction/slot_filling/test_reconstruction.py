"""A tagger read back as rules: never worse on dev, read again as what was chosen, written rules left as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from support.projects.finished_tagger_run import NETWORK, RULES, TRAIN, slot_corpus

from re2nn_core.automata.tagged_inclusion import shortest_tagged_escape
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.errors import InputError
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.reconstruction.slot_filling import conduct
from re2nn_core.rules.rule_comments import LEARNED_BY_NETWORK
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.prediction.slot_filling.encoding import TextPrediction, predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_reconstruction.slot_filling import reconstruction
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    SlotReconstruction,
    reconstruct_slots,
)
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.span_scores import span_scores

CUT = Tokenization()
WITH_COMMENTS = f"// where to\n{RULES}"


def system_of(rules: str, logic: str = "") -> SlotSystem:
    return read_slot_system(rules, logic, CUT)[0]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TaggerBundle]:
    """Taggers of the small project, one for each kind of transducer, trained when first asked for."""
    made: dict[str, TaggerBundle] = {}

    def bundle(kind: str) -> TaggerBundle:
        if kind not in made:
            config = TaggerConfig(**{**NETWORK, "transducer": kind, "train_words": True})  # type: ignore[arg-type]
            folder = tmp_path_factory.mktemp(kind)
            training = TrainConfig(**{**TRAIN, "epochs": 12, "copies": 1})  # type: ignore[arg-type]
            train_tagger(system_of(WITH_COMMENTS), slot_corpus(), config, training, folder=folder)
            made[kind] = load_tagger(folder)
        return made[kind]

    return bundle


@pytest.fixture(scope="module")
def found(bundles: Callable[[str], TaggerBundle]) -> SlotReconstruction:
    return reconstruct_slots(bundles("positions"), slot_corpus())


def scores_of(system: SlotSystem, split: str) -> float:
    texts = tagged_texts(slot_corpus().of_split(split).examples, CUT)
    return span_scores([text.tags or () for text in texts], system.tags_of_words([text.words for text in texts])).f1


def test_figures_are_those_of_the_rules_that_are_printed(found: SlotReconstruction) -> None:
    new, old = system_of(found.rules_text, found.logic_text), system_of(RULES)
    assert [scores.split for scores in found.scores] == ["dev", "train", "test"]
    for scores in found.scores:
        assert scores.original is not None
        assert scores.reconstructed is not None
        assert scores.original.f1 == pytest.approx(scores_of(old, scores.split))
        assert scores.reconstructed.f1 == pytest.approx(scores_of(new, scores.split))
        assert scores.texts == len(slot_corpus().of_split(scores.split))


def test_rules_that_are_read_back_gain_on_dev_and_on_texts_that_chose_nothing(found: SlotReconstruction) -> None:
    for scores in found.scores:
        assert scores.original is not None
        assert scores.changed is not None
        assert scores.reconstructed is not None
        assert scores.original.f1 < scores.changed.f1 <= scores.reconstructed.f1


def test_texts_that_become_better_and_worse_are_counted(found: SlotReconstruction) -> None:
    new, old = system_of(found.rules_text, found.logic_text), system_of(RULES)
    for scores in found.scores:
        part = slot_corpus().of_split(scores.split)
        gains = []
        for example, before, after in zip(part, old.spans(part.texts), new.spans(part.texts), strict=True):
            wanted = set(example.spans or ())
            gains.append(len(set(before) ^ wanted) - len(set(after) ^ wanted))
        assert (scores.better, scores.worse) == (sum(g > 0 for g in gains), sum(g < 0 for g in gains))
    assert found.scores[0].better > 0


def test_agreement_is_counted_on_texts_and_words(
    found: SlotReconstruction, bundles: Callable[[str], TaggerBundle]
) -> None:
    new, part = system_of(found.rules_text, found.logic_text), slot_corpus().of_split("dev")
    by_network = [prediction.tags for prediction in predict_tags(bundles("positions"), part.texts)]
    by_rules = new.tags_of_words([text.words for text in tagged_texts(part.examples, CUT)])
    assert found.scores[0].agreement == np.mean([a == b for a, b in zip(by_network, by_rules, strict=True)])
    alike = [x == y for a, b in zip(by_network, by_rules, strict=True) for x, y in zip(a, b, strict=True)]
    assert found.scores[0].agreement_words == pytest.approx(np.mean(alike))


def test_what_changed_is_told_rule_by_rule(found: SlotReconstruction) -> None:
    assert [rule.name for rule in found.rules] == ["to", "from_to", "day"]
    assert found.changed == sum(not rule.kept_original for rule in found.rules) >= 1
    rules = {rule.name: rule for rule in system_of(found.rules_text, found.logic_text).ruleset.rules}
    for rule in found.rules:
        assert rule.kept_original == (not rule.steps) == (rule.original_text == rule.reconstructed_text)
        assert set(rules) >= {rule.name}
    day = found.rules[2]
    assert day.words_removed == ("foot",)
    assert day.steps == ("no longer matches foot, beginning day (12 errors fewer)",)
    assert day.reconstructed_text == "$* on [ ( monday | friday ) ]<day> $*".replace(
        "( monday | friday )", "monday | friday"
    )


def test_unchanged_lines_and_comments_stay(found: SlotReconstruction) -> None:
    lines = found.rules_text.splitlines()
    assert lines[:2] == ["// where to", "@city@=( boston | oslo | paris | rome )"]
    for rule in found.rules:
        if rule.kept_original:
            assert f"{rule.name} := {rule.original_text}" in found.rules_text
    assert '// "on foot" is no day' in found.rules_text


def test_new_rules_stand_apart(found: SlotReconstruction) -> None:
    before, heading, behind = found.rules_text.partition(LEARNED_BY_NETWORK)
    assert bool(heading) == bool(found.new_rules)
    for rule in found.new_rules:
        assert f"{rule.name} := " in behind
        assert f"{rule.name} := " not in before
        assert rule.gain >= 4


@pytest.mark.parametrize("kind", ["positions", "ifst"])
def test_the_printed_rules_are_the_machines_that_were_chosen(
    kind: str, bundles: Callable[[str], TaggerBundle], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[conduct.SlotReconstructing] = []

    class Kept(conduct.SlotReconstructing):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            kept.append(self)

    monkeypatch.setattr(conduct, "SlotReconstructing", Kept)
    found = reconstruct_slots(bundles(kind), slot_corpus())
    again = system_of(found.rules_text, found.logic_text)
    (reader,) = kept
    assert found.changed
    for (name, tree), machine in zip(again.trees, reader.ballot.machines, strict=True):
        printed = position_transducer(tree)
        assert shortest_tagged_escape(printed, machine) is shortest_tagged_escape(machine, printed) is None, name
    assert again.logic == reader.ballot.logic


@pytest.mark.parametrize("linear", [False, True])
def test_a_tagger_that_kept_its_rules_changes_none(linear: bool) -> None:
    """With 1,000 texts of restaurants training kept the rules; words of the texts were learned all the same, and F1 of
    other texts fell."""
    corpus = slot_corpus()
    bundle = untrained_tagger(system_of(WITH_COMMENTS), corpus.texts)
    if linear:  # a linear layer came to the rules of an epoch 0
        bundle = replace(bundle, trained=True, figures={"best_epoch": 0})
    as_they_are = reconstruct_slots(bundle, corpus, learn_new_rules=False)
    assert (as_they_are.rules_text, as_they_are.new_priorities, as_they_are.changed) == (WITH_COMMENTS, (), 0)
    found = reconstruct_slots(bundle, corpus)
    assert found.new_priorities == ()
    assert not any(rule.name.startswith("learned.") for rule in found.new_rules)
    steps = [step for rule in found.rules for step in rule.steps]
    assert len(steps) == found.changed
    assert all(" of annotated texts where it matches @" in step for step in steps)
    assert found.scores[0].original is not None
    assert found.scores[0].network == found.scores[0].original


@pytest.mark.parametrize("adds", [False, True])
def test_what_came_to_rules_that_training_kept_is_asked_too(adds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 1,000 texts of restaurants a linear layer knew ten points of F1 more than the rules that training kept, and
    its spans of the unannotated texts were not looked at."""
    towns = ("paris", "cairo", "quito", "lyon", "graz", "bonn", "metz", "turin", "genoa", "kyoto", "osaka", "lagos")
    texts = [f"flight near {town} please" for town in towns]
    spans = [(Span(12, 12 + len(town), "city"),) for town in towns]
    corpus = Corpus(
        tuple(
            Example(t, None, "train", s if n < 2 else None) for n, (t, s) in enumerate(zip(texts, spans, strict=True))
        )
    )
    system = system_of("to := $* to [ ( rome | oslo ) ]<city> $*\n")
    bundle = replace(untrained_tagger(system, corpus.texts), trained=True, figures={"best_epoch": 0})

    def predicted(*_: object, **__: object) -> list[TextPrediction]:
        return [replace(one, spans=own) for one, own in zip(plain, spans, strict=True)]

    plain = predict_tags(bundle, corpus.texts, with_confidences=False)
    if adds:
        monkeypatch.setattr(reconstruction, "predict_tags", predicted)
    found = reconstruct_slots(bundle, corpus)
    assert bool(found.new_rules) == adds
    assert found.changed == 0


def test_priorities_that_are_learned_stand_in_the_logic() -> None:
    rules = "[slots]\nany := to? [ oslo | rome ]<from_city> to?\nto := $* to [ oslo | rome ]<to_city> $*"
    system = system_of(rules, "# as it was\nlongest = true\n")
    texts = [Example(f"to {city}", None, "dev", (Span(3, 7, "to_city"),)) for city in ("oslo", "rome")]
    texts += [Example(f"{city} to", None, "dev", (Span(0, 4, "from_city"),)) for city in ("oslo", "rome")]
    found = reconstruct_slots(untrained_tagger(system, [text.text for text in texts]), Corpus(tuple(texts)))
    assert found.new_priorities == ("to_city > from_city",)
    assert found.logic_text == 'priorities = [\n    "to_city > from_city",\n]\nlongest = true\n'
    assert found.rules_text == rules
    assert found.scores[0].reconstructed is not None
    assert found.scores[0].reconstructed.f1 == 1
    assert system_of(found.rules_text, found.logic_text).spans([texts[0].text]) == [texts[0].spans]
    # Where none is learned the text stays as it was written.
    other = reconstruct_slots(untrained_tagger(system, ["to oslo"]), Corpus((replace(texts[2]),)))
    assert other.logic_text == "# as it was\nlongest = true\n"


@pytest.mark.parametrize(
    ("left", "removed"),
    [
        ("any := $* oslo $*\nto := $* to [ oslo | rome ]<to_city> $*", ("from_city > to_city",)),
        ("any := $* [ oslo | rome ]<from_city> $*\nto := $* to $*", ("from_city > to_city", "to_city > O")),
        ("any := $* oslo $*\nto := $* to $*", ()),
    ],
)
def test_rules_that_lost_a_slot_are_written_with_the_priorities_that_still_hold(
    left: str, removed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "[slots]\nany := $* [ oslo | rome ]<from_city> $*\nto := $* to [ oslo | rome ]<to_city> $*"
    logic = 'priorities = ["from_city > to_city", "to_city > O"]\n'
    system = system_of(rules, logic)
    texts = Corpus(tuple(Example(f"to {city}", None, "dev", (Span(3, 7, "to_city"),)) for city in ("oslo", "rome")))
    monkeypatch.setattr(conduct, "with_rules_replaced", lambda *_: (f"[slots]\n{left}", ()))
    found = reconstruct_slots(untrained_tagger(system, [text.text for text in texts]), texts, learn_new_rules=False)
    again = system_of(found.rules_text, found.logic_text)
    assert all(f"no slot of the name: {pair}" in found.logic_text for pair in removed)
    assert len(again.logic.priorities) == 2 - len(removed)
    if not removed:  # rules without any slot are none for slots: the written ones stay
        assert (found.rules_text, found.logic_text) == (rules, logic)


def test_test_texts_choose_nothing(bundles: Callable[[str], TaggerBundle]) -> None:
    corpus = slot_corpus()
    without = Corpus(tuple(example for example in corpus if example.split != "test"))
    wrong = [replace(example, spans=()) if example.split == "test" else example for example in corpus]
    texts = {reconstruct_slots(bundles("positions"), given).rules_text for given in (without, Corpus(tuple(wrong)))}
    assert len(texts) == 1


def test_progress_goes_up_to_the_end(bundles: Callable[[str], TaggerBundle]) -> None:
    reported: list[tuple[int, int]] = []
    reconstruct_slots(bundles("positions"), slot_corpus(), on_progress=lambda done, of: reported.append((done, of)))
    assert reported == sorted(reported)
    assert reported[-1] == (100, 100)


def test_marked_texts_are_needed(bundles: Callable[[str], TaggerBundle]) -> None:
    texts = Corpus((Example("to oslo"), Example("to rome", None, "test", ())))
    with pytest.raises(InputError) as caught:
        reconstruct_slots(bundles("positions"), texts)
    assert str(caught.value) == (
        "None of the dev and train texts is annotated, so the reconstruction cannot be measured.\n"
        "Annotate some texts, or give a file of texts with spans."
    )
