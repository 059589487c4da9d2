"""The untrained tagger predicts as the rules do; which settings keep that, and how near the others come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import (
    EXACT_FORMS,
    TRIP,
    TRIP_TEXTS,
    VOCABULARY,
    batch_of,
    config_of,
    disturbed,
    predictions_of,
    sample_project,
    sample_system,
    slot_systems,
    system_of,
    system_of_trees,
    tagger_of,
    vocabulary_of,
)
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import ATIS, BENCHMARKS, SNIPS, slot_trees, tag_cases

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.bundle import TaggerParts, build_tagger
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.tensors.factors import Floats
from re2nn_core.tensors.tagged_factors import tag_factors
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.span_scores import span_scores

Texts = list[tuple[str, ...]]
forms = pytest.mark.parametrize("form", EXACT_FORMS, ids=str)


# --- the rules' predictions

TABLE = tag_cases()


@forms
def test_table(form: dict[str, object]) -> None:
    """All rules of the table at once, and each rule by itself, on all sentences of the table."""
    texts = [case.sentence for case in TABLE]
    for system in (system_of_trees([case.tree for case in TABLE]), *(system_of_trees([c.tree]) for c in TABLE[::5])):
        vocabulary = vocabulary_of(system, texts)
        network = tagger_of(system, vocabulary, **form)
        assert predictions_of(network, vocabulary, texts) == system.tags_of_words(texts)


@settings(max_examples=30, deadline=None)
@given(slot_systems(), st.lists(sentences(5), min_size=1, max_size=8), st.sampled_from(EXACT_FORMS))
def test_random_rules_with_priorities(system: SlotSystem, texts: Texts, form: dict[str, object]) -> None:
    network = tagger_of(system, **form)
    assert predictions_of(network, VOCABULARY, texts) == system.tags_of_words(texts)


@forms
@pytest.mark.parametrize("name", ["flight_slots", "flight_slots_zh"])
def test_sample_projects(name: str, form: dict[str, object]) -> None:
    project, logic = sample_project(name), SlotLogic((("date", "to_city"), ("date", "from_city")), longest=True)
    read = sample_system(name)
    texts = words_of_all(project.corpus.texts[::4], project.tokenization)
    for system in (read, SlotSystem(read.ruleset, logic, project.tokenization, "", "")):
        vocabulary = vocabulary_of(system, texts)
        wanted = system.tags_of_words(texts)
        assert predictions_of(tagger_of(system, vocabulary, **form), vocabulary, texts) == wanted
        assert len({tag for tags in wanted for tag in tags}) > 10


PUBLISHED_PRIORITIES = (
    ("timerange", "party_size_number"),
    ("spatial_relation", "movie_name"),
    ("object_location_type", "movie_name"),
    ("timeRange", "city"),
)


@pytest.mark.parametrize("form", [EXACT_FORMS[place] for place in (0, 4, 6, 7)], ids=str)
@pytest.mark.parametrize(("name", "rules"), [("atis", ATIS), ("snips", SNIPS)])
def test_published_rules(name: str, rules: str, form: dict[str, object]) -> None:
    path = BENCHMARKS / "rules" / rules
    if not path.is_file():
        pytest.skip(f"the published rule files are not here: {path}")
    bare = system_of(path.read_text(encoding="utf-8"))
    pairs = tuple(pair for pair in PUBLISHED_PRIORITIES if set(pair) <= set(bare.slots))
    system = SlotSystem(bare.ruleset, SlotLogic(pairs), bare.tokenization, "", "")
    lines = (BENCHMARKS / name / "train.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [tuple(json.loads(line)["tokens"]) for line in lines[:: len(lines) // 300]]
    vocabulary = vocabulary_of(system, texts)
    wanted = system.tags_of_words(texts)
    assert predictions_of(tagger_of(system, vocabulary, **form), vocabulary, texts) == wanted
    assert sum(any(tag != "O" for tag in tags) for tags in wanted) > 100


@pytest.mark.parametrize("logic", ["", 'longest = true\npriorities = ["goal > city", "date > O"]'])
@pytest.mark.parametrize("form", EXACT_FORMS[:4], ids=str)
def test_a_built_tagger(logic: str, form: dict[str, object]) -> None:
    """As it is built from the text of rules and priorities, with slots spelt as in the data and tags of the data."""
    system = system_of(TRIP, logic, known_slots=("City", "other"))
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    known, extra = system.known_slots, ("B-other", "I-other")
    parts = TaggerParts(TRIP, logic, system.tokenization, vocabulary, config_of(**form), known, extra, (3, 4))
    bundle = build_tagger(parts)
    assert bundle.network.tags == (*system.tags, *extra)
    assert "B-City" in bundle.network.tags
    assert predictions_of(bundle.network, vocabulary, TRIP_TEXTS) == system.tags_of_words(TRIP_TEXTS)
    goal = "B-goal" if logic else "B-City"  # of equal votes the tag that the rules name first
    expected = ("O", "O", "B-City", "I-City", "O", goal, "O", "B-date", "I-date")
    assert predictions_of(bundle.network, vocabulary, TRIP_TEXTS)[0] == expected


@pytest.mark.parametrize("threshold", [1e-6, 0.1, 0.5, 0.96, 0.999])
def test_the_wildcard_never_beats_a_vote(threshold: float) -> None:
    """Nor where a rule is the last of very many tags, and many rules say the wildcard."""
    text = "[slots]\n" + "\n".join(f"r{n} := $* x $*" for n in range(40)) + "\nlast := $* [ x ]<s> [ y ]<s>? $*\n"
    system = system_of(text)
    vocabulary = vocabulary_of(system, [("x",)])
    extra = [f"B-more{number}" for number in range(300)]
    tagger = tagger_of(system, vocabulary, threshold=threshold)
    assert tagger.config.is_exact
    assert predictions_of(tagger, vocabulary, [("x", "z")]) == [("B-s", "O")]
    moved = [*system.tags[:2], *extra, *system.tags[2:]]
    factors = tag_factors(system.trees, vocabulary)
    late = FstRnn(factors, moved, (), None, tagger.config).eval()
    assert predictions_of(late, vocabulary, [("z", "x", "y"), ("z", "x", "z")]) == [
        ("O", "B-s", "B-s"),
        ("O", "B-s", "O"),
    ]


@pytest.mark.parametrize("decoding", ["softmax", "crf"])
def test_a_long_text_is_predicted_as_a_short_one(decoding: str) -> None:
    """Scores that add up along a text must not swallow the small differences that decide between equal votes."""
    system = system_of("[slots]\none := $* [ a ]<x> $*\ntwo := $* [ a ]<y> $*\nfar := $* b $* [ c ]<z> $*\n")
    vocabulary = vocabulary_of(system, [("a", "d")])
    tagger = tagger_of(system, vocabulary, decoding=decoding, extra_tags=[f"B-{n}" for n in range(20)])
    tagger.config = config_of(decoding=decoding, logit_scale=100.0)
    texts = [("a", "d", "c") * 800 + ("b", "c"), ("a", "d", "c", "b", "c")]
    assert predictions_of(tagger, vocabulary, texts) == [
        ("B-x", "O", "O") * 800 + ("O", "B-z"),
        ("B-x", "O", "O", "O", "B-z"),
    ]
    long, short = run_taggers([tagger], [vocabulary.encode(text) for text in texts])
    assert long.token_confidences[:3] == pytest.approx(short.token_confidences[:3], abs=1e-4)
    assert long.token_confidences[-5:] == pytest.approx(short.token_confidences, abs=1e-4)


# --- settings that are near the rules only

NEAR_FORMS: tuple[tuple[dict[str, object], float], ...] = (
    ({"activation": "tanh"}, 0.97),
    ({"activation": "tanh", "transducer": "ifst", "decoding": "crf"}, 0.97),
    ({"activation": "none"}, 0.99),
    ({"cell": "gru"}, 0.99),
    ({"cell": "gru", "transducer": "ifst", "decoding": "crf"}, 0.99),
    ({"vectors": "builtin", "rule_weight": 0.99}, 0.97),
    ({"vectors": "builtin", "rule_weight": 0.9}, 0.96),
    ({"vectors": "builtin", "rule_weight": 0.5}, 0.9),
    ({"rank": 1000}, 1.0),  # more than there are, and so the exact factors
)


@pytest.mark.parametrize(("form", "least"), NEAR_FORMS, ids=str)
def test_other_settings_are_near(form: dict[str, object], least: float) -> None:
    assert not config_of(**form).is_exact
    assert agreement(form) >= least


def agreement(form: dict[str, object]) -> float:
    """F1 of the untrained tagger's spans on a sample project, where the rules' spans are right."""
    project, system = sample_project("flight_slots"), sample_system("flight_slots")
    texts = words_of_all(project.corpus.texts[::4], project.tokenization)
    vocabulary, config = vocabulary_of(system, texts), config_of(**form)
    vectors = builtin_vectors(vocabulary.words, tuple(texts)) if config.vectors == "builtin" else None
    parts = TaggerParts(system.rules_text, system.logic_text, system.tokenization, vocabulary, config)
    predictions = predictions_of(build_tagger(parts, vectors).network, vocabulary, texts)
    return span_scores(system.tags_of_words(texts), predictions).f1


@cache
def builtin_vectors(words: tuple[str, ...], texts: tuple[tuple[str, ...], ...]) -> Floats:
    return word_vectors(words, texts, "builtin").vectors


def test_random_weights_are_not_the_rules() -> None:
    assert not config_of(initial="random").is_exact
    assert agreement({"initial": "random"}) < 0.3
    assert agreement({}) == 1


@pytest.mark.parametrize(("rank", "least"), [(4, 0.3), (7, 0.6)])
def test_factors_of_lower_rank_keep_some_of_the_rules(rank: int, least: float) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    bundle = build_tagger(TaggerParts(TRIP, "", system.tokenization, vocabulary, config_of(rank=rank)))
    assert not bundle.config.is_exact
    assert bundle.factors.factors.rank == rank < tag_factors(system.trees, vocabulary).factors.rank
    scores = span_scores(system.tags_of_words(TRIP_TEXTS), predictions_of(bundle.network, vocabulary, TRIP_TEXTS))
    assert scores.f1 >= least


def test_exact_settings_say_so() -> None:
    assert all(config_of(**form).is_exact for form in EXACT_FORMS)


# --- what is read


@settings(max_examples=30, deadline=None)
@given(st.lists(slot_trees(3), min_size=1, max_size=3), st.lists(sentences(5), min_size=2, max_size=8), st.data())
def test_company_order_and_padding_change_no_logit(trees: list, texts: Texts, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from([*EXACT_FORMS, {"cell": "gru"}, {"activation": "tanh"}]))
    network = disturbed(tagger_of(system_of_trees(trees), **form))
    random = Random(1)
    with torch.no_grad():
        for text in texts:
            batch = batch_of(VOCABULARY, [text, *random.sample(texts, len(texts) // 2)])
            row = next(n for n, length in enumerate(batch.lengths) if length == len(text) and same(batch, n, text))
            padded = Batch(torch.nn.functional.pad(batch.words, (0, 2), value=3), batch.lengths)
            alone = network(batch_of(VOCABULARY, [text]))[0]
            for found in (network(batch)[row], network(padded)[row]):
                assert torch.allclose(found[: len(text)], alone, atol=2e-5)
                assert not found[len(text) :].any()


def same(batch: Batch, row: int, text: Sequence[str]) -> bool:
    return batch.words[row, : len(text)].tolist() == VOCABULARY.encode(text)


@pytest.mark.parametrize("form", [*EXACT_FORMS, {"cell": "gru"}, {"activation": "none"}], ids=str)
@pytest.mark.parametrize("texts", [[], [()], [(), ()], [("oslo", "x"), (), ("to",), ()]], ids=str)
def test_sentences_without_words(form: dict[str, object], texts: Texts) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = tagger_of(system, vocabulary, **form)
    assert predictions_of(network, vocabulary, texts) == system.tags_of_words(texts)
    batch = batch_of(vocabulary, texts)
    inside = batch.inside()
    logits = disturbed(network).train()(batch)
    assert logits.shape == (*batch.words.shape, len(network.tags))
    likelihood = network.log_likelihood(logits, torch.zeros_like(batch.words), inside)
    assert likelihood.tolist() == pytest.approx(
        [0.0 if not n else likelihood[k].item() for k, n in enumerate(batch.lengths)]
    )
    assert network.probabilities(logits, inside).shape == logits.shape
    assert network.best(logits, inside).shape == batch.words.shape
    if texts:
        likelihood.sum().backward()
        gradients = [p.grad for p in network.parameters() if p.grad is not None]
        assert all(bool(gradient.isfinite().all()) for gradient in gradients)


def test_votes_are_counted_by_rule_and_silenced_whole() -> None:
    """Two rules that give one word one tag in several ways have two votes; a silent tag has none, however many vote."""
    text = "[slots]\none := $* [ a ]<x> $* | $* [ a $? ]<x> $*\ntwo := $* [ a+ ]<x> $*\nthree := [ $+ ]<y>\n"
    system = system_of(text)
    vocabulary = vocabulary_of(system, [("a", "b")])
    network = tagger_of(system, vocabulary)
    reading = network.read(batch_of(vocabulary, [("a",)]))
    scores = dict(zip(network.tags, (reading.logits[0] / network.config.logit_scale).tolist(), strict=True))
    assert {tag: round(score) for tag, score in scores.items() if tag != WILDCARD} == {
        **dict.fromkeys(("O", "I-x", "I-y"), 0),
        "B-x": 2,
        "B-y": 1,
    }
    silent = tagger_of(SlotSystem(system.ruleset, SlotLogic((("y", "x"),)), system.tokenization, "", ""), vocabulary)
    logits = silent.read(batch_of(vocabulary, [("a",)])).logits[0].detach()
    assert round(float(logits[silent.tags.index("B-x")])) == 0
    assert predictions_of(silent, vocabulary, [("a",), ("a", "b")]) == [("B-y",), ("B-y", "I-y")]


def test_later_tags_lose_equal_votes() -> None:
    """The tag that the rules name first; O before all others."""
    system = system_of("[slots]\none := [ a ]<x>\ntwo := [ a ]<y>\n")
    vocabulary = vocabulary_of(system, [("a",)])
    assert predictions_of(tagger_of(system, vocabulary), vocabulary, [("a",)]) == [("B-x",)]
    other = system_of("[slots]\none := a<:>B-y\ntwo := a<:>B-x\nthree := a<:>O b?\n")
    assert predictions_of(tagger_of(other, vocabulary), vocabulary, [("a",)]) == [("O",)]


def test_a_head_and_a_bias_move_logits() -> None:
    """What training adds to the rules: one entry of each, by hand."""
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network, batch = tagger_of(system, vocabulary), batch_of(vocabulary, [TRIP_TEXTS[0]])
    with torch.no_grad():
        before = network.read(batch)
        network.head[:, 3] = 0.5
        network.bias[1] = 2
        after = network.read(batch)
    change = after.logits - before.logits
    expected = torch.zeros_like(change)
    expected[:, 3] = network.config.logit_scale * 0.5 * before.gamma.sum(1)
    expected[:, 1] = 2
    assert float(before.gamma.sum()) > 9
    assert torch.allclose(change, expected, atol=1e-4)


def test_the_first_tags_are_the_wildcard_and_o() -> None:
    system = system_of(TRIP)
    factors = tag_factors(system.trees, VOCABULARY)
    with pytest.raises(ValueError) as caught:
        FstRnn(factors, ("O", "OO", "B-city"), (), None, config_of())
    assert str(caught.value) == "the first two tags are OO and O (got ('O', 'OO'))"


def test_a_residual_reader_that_learns_apart_sees_nothing_of_the_rules() -> None:
    """In training the logits are its own; afterwards the rules' votes decide where there are any."""
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    form = {"auxiliary": "lstm", "detached": True, "dropout": 0.0, "word_dropout": 0.0}
    network, batch = disturbed(tagger_of(system, vocabulary, **form), 0.05), batch_of(vocabulary, [TRIP_TEXTS[0]])
    alone = network.train()(batch)
    alone.sum().backward()
    learned = {name.partition(".")[0] for name, p in network.named_parameters() if p.grad is not None and p.grad.any()}
    assert learned == {"auxiliary", "bias"}
    together = network.eval()(batch).detach() - alone.detach()
    network.auxiliary = None
    rules = network(batch).detach() - network.bias.detach()
    assert torch.allclose(together, rules, atol=1e-5)
    assert predictions_of(tagger_of(system, vocabulary, **form), vocabulary, TRIP_TEXTS) == system.tags_of_words(
        TRIP_TEXTS
    )


def test_softmax_likelihood_by_hand() -> None:
    network = tagger_of(system_of(TRIP))
    logits = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(2))
    gold, inside = torch.tensor([[1, 3, 0], [2, 0, 0]]), torch.tensor([[True, True, True], [True, False, False]])
    shares = logits.double().exp() / logits.double().exp().sum(2, keepdim=True)
    wanted = [shares[0, 0, 1] * shares[0, 1, 3] * shares[0, 2, 0], shares[1, 0, 2]]
    assert network.log_likelihood(logits, gold, inside).tolist() == pytest.approx([float(s.log()) for s in wanted])
    found = network.probabilities(logits, inside)
    assert torch.allclose(found[inside], shares.float()[inside])
    assert not found[~inside].any()
