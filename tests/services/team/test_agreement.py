"""Coefficients of agreement: published examples, a second library, and what is not defined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TypeVar

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa
from support.processor_time import takes_less_than

from re2nn_core.errors import InputError
from re2nn_core.services.team.agreement import Coefficient, agreement, agreement_by_label, pairs_of
from re2nn_core.services.team.ratings import Ratings, table_of
from re2nn_core.services.team.span_agreement import (
    SpanAgreement,
    span_agreement,
    span_agreement_by_slot,
    span_pairs,
)
from re2nn_core.services.team.span_annotations import marks_of
from re2nn_core.text.spans import Span, spans_of, tags_of
from re2nn_core.text.tokenization import Token, Tokenization, tokenize
from re2nn_core.training.span_scores import span_scores

TagsByText = TypeVar("Said")


def ratings(**rows: str) -> Ratings:
    """A letter for each text, a point where there is no prediction."""
    return {
        who: {text: said for text, said in enumerate(row.replace(" ", "")) if said != "."} for who, row in rows.items()
    }


# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: alpha 0.743; Gwet (2014) uses the same
# data and has 0.818 for the observed agreement, 0.775 for AC1.
FOUR = ratings(
    a="123321412...", b="12332241 25.3".replace(" ", ""), c=".33323422 51.".replace(" ", ""), d="12332441251."
)


def test_krippendorff_and_gwet_on_their_published_example() -> None:
    found = agreement(FOUR)
    assert found.texts == 11  # the last text has one prediction
    assert found.percent.value == pytest.approx(0.818, abs=5e-4)
    assert found.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert found.ac1.value == pytest.approx(0.775, abs=5e-4)
    assert found.fleiss.value is None
    assert "the same number of annotations for every text" in found.fleiss.why
    assert found.cohen.why == "it compares two people, here are 4; see them pair by pair"


def test_cohen_by_hand() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7, by chance 0.5 (Cohen's kappa 0.4).
    found = agreement(ratings(a="y" * 25 + "n" * 25, b="y" * 20 + "n" * 5 + "y" * 10 + "n" * 15))
    assert found.percent.value == pytest.approx(0.7)
    assert found.cohen.value == pytest.approx(0.4)


def test_fleiss_on_the_example_of_fourteen_raters() -> None:
    # The worked example of ten subjects, fourteen raters and five categories: kappa 0.210.
    table = ("00 00 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1", "7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2",
             "6 5 2 1 0", "0 2 2 3 7")  # fmt: skip
    rows = [[0, 0, 0, 0, 14], *([int(count) for count in row.split()] for row in table[1:])]
    people: dict[str, dict[int, str]] = {str(number): {} for number in range(14)}
    for text, counts in enumerate(rows):
        given = "".join(letter * count for letter, count in zip("abcde", counts, strict=True))
        for who, said in zip(people, given, strict=True):
            people[who][text] = said
    assert agreement(people).fleiss.value == pytest.approx(0.210, abs=5e-4)


def test_ac1_is_steady_where_one_label_is_rare() -> None:
    # Gwet (2008): nearly all predictions are no; kappa says chance, AC1 does not.
    found = agreement(ratings(a="n" * 118 + "y" * 5 + "n" * 2, b="n" * 118 + "n" * 5 + "y" * 2))
    assert found.percent.value == pytest.approx(0.944)
    assert found.cohen.value is not None
    assert found.cohen.value < 0
    assert found.ac1.value == pytest.approx(0.9408, abs=5e-4)


UNDEFINED = (
    ("nobody", {}, "no text has annotations of two annotators"),
    ("one person", ratings(a="xyx"), "no text has annotations of two annotators"),
    ("no common text", ratings(a="x..", b=".yx"), "no text has annotations of two annotators"),
    ("one label", ratings(a="xxx", b="xxx"), "all annotations are the same label"),
)


@pytest.mark.parametrize(("given", "why"), [case[1:] for case in UNDEFINED], ids=[case[0] for case in UNDEFINED])
def test_what_is_not_defined_says_why(given: Ratings, why: str) -> None:
    found = agreement(given)
    for coefficient in (found.cohen, found.fleiss, found.alpha, found.ac1):
        assert coefficient.value is None
        assert why in coefficient.why
    assert found.percent.value == (1.0 if why.startswith("all") else None)


def test_labels_and_pairs() -> None:
    given = ratings(ann="aabbc", bob="aabbb", network="ac..a")
    by_label = agreement_by_label(given)
    assert list(by_label) == ["a", "b", "c"]
    assert by_label["b"].percent.value == pytest.approx((1 + 1 + 1 + 1 + 1 / 3) / 5)
    assert [(pair.one, pair.other, pair.texts) for pair in pairs_of(given)] == [
        ("ann", "bob", 5),
        ("ann", "network", 3),
        ("bob", "network", 3),
    ]
    assert pairs_of(given)[0].percent.value == pytest.approx(0.8)
    assert pairs_of(given)[1].percent.value == pytest.approx(1 / 3)


def test_spans() -> None:
    words = {
        text: tokenize(said, Tokenization()) for text, said in {0: "oslo is far", 1: "on next friday", 2: "no"}.items()
    }
    city, day, half = Span(0, 4, "city"), Span(3, 14, "day"), Span(3, 7, "day")
    given = {"ann": {0: (city,), 1: (day,)}, "bob": {0: (city,), 1: (half,), 2: ()}}
    marks = marks_of(given, borders(words))
    found = span_agreement(marks)
    assert found.texts == 2
    assert found.f1.value == pytest.approx(0.5)
    assert found.percent.value == pytest.approx(0.5)
    # Six words, one apart: coincidences of B-city 2, O 6+1, B-day 2, I-day 1: 1 - 11 * 2 / (144 - 4 - 49 - 4 - 1).
    assert found.alpha.value == pytest.approx(1 - 11 * 2 / (12**2 - 4 - 49 - 4 - 1))
    by_slot = span_agreement_by_slot(marks)
    assert {slot: (one.f1.value, one.percent.value) for slot, one in by_slot.items()} == {
        "city": (1, 1),
        "day": (0, 0.5),
    }
    assert by_slot["city"].alpha.value == pytest.approx(1)
    [pair] = span_pairs(given)
    assert (pair.one, pair.other, pair.texts, pair.percent.value, pair.f1.value) == ("ann", "bob", 2, 0.5, 0.5)


def test_spans_that_nobody_marked_and_words_that_differ() -> None:
    words = borders({0: tokenize("far away", Tokenization())})
    found = span_agreement(marks_of({"ann": {0: ()}, "bob": {0: ()}}, words))
    assert (found.percent.value, found.f1.value, found.f1.why) == (1, None, "nobody annotated a span")
    assert (found.alpha.value, found.alpha.why) == (None, "all words carry the same tag, so chance alone explains it")
    assert span_agreement(marks_of({"ann": {0: ()}}, words)).f1.why == "no text has annotations of two annotators"
    assert span_agreement(marks_of({}, {})).f1.why == "no text has annotations of two annotators"
    with pytest.raises(InputError, match=r"text 0: .* is not at the borders of its words; label the text again"):
        marks_of({"ann": {0: (Span(1, 3, "a"),)}, "bob": {0: ()}}, words)
    with pytest.raises(InputError, match="is not at the borders of its words"):
        marks_of({"ann": {0: (Span(5, 80, "a"),)}, "bob": {0: ()}}, words)


def borders(words: Mapping[int, Sequence[Token]]) -> dict[int, list[tuple[int, int]]]:
    """Where the words of texts begin and end."""
    return {text: [(word.start, word.end) for word in given] for text, given in words.items()}


def drawn(seed: int, raters: int, texts: int, labels: int, gaps: float) -> dict[str, dict[int, str]]:
    """Raters who say the true label or any, with gaps."""
    random = Random(seed)
    truth = [random.randrange(labels) for _ in range(texts)]
    return {
        f"rater {rater}": {
            text * 7 + 3: f"label {truth[text] if random.random() < 0.7 else random.randrange(labels)}"
            for text in range(texts)
            if random.random() >= gaps
        }
        for rater in range(raters)
    }


@pytest.mark.parametrize("seed", range(12))
def test_other_libraries_say_the_same(seed: int) -> None:
    """scikit-learn's Cohen, statsmodels' Fleiss and NLTK's alpha, of all labels and of each."""
    given = drawn(seed, raters=2 + seed % 4, texts=40, labels=2 + seed % 5, gaps=0.0 if seed % 2 else 0.3)
    of_labels = agreement_by_label(given)
    one_label = {
        label: {who: {text: str(said == label) for text, said in own.items()} for who, own in given.items()}
        for label in of_labels
    }
    for found, ratings_of in [
        (agreement(given), given),
        *((of_labels[label], one_label[label]) for label in of_labels),
    ]:
        shared = shared_by_hand(ratings_of)
        annotations = [(who, text, said) for text, own in shared.items() for who, said in own.items()]
        assert found.texts == len(shared)
        assert found.annotations == len(annotations)
        assert found.percent.value == pytest.approx(pairs_alike(shared))
        assert found.alpha.value == pytest.approx(AnnotationTask([(w, str(t), s) for w, t, s in annotations]).alpha())
        labels = sorted({said for _, _, said in annotations})
        if len({len(own) for own in shared.values()}) == 1:
            table = [[list(own.values()).count(label) for label in labels] for own in shared.values()]
            assert found.fleiss.value == pytest.approx(fleiss_kappa(np.asarray(table)))
        if len(given) == 2:
            one, other = ([own[who] for own in shared.values()] for who in given)
            assert found.cohen.value == pytest.approx(cohen_kappa_score(one, other))
    for pair in pairs_of(given):
        both = [text for text in given[pair.one] if text in given[pair.other]]
        said = [[given[who][text] for text in both] for who in (pair.one, pair.other)]
        assert pair.cohen.value == pytest.approx(cohen_kappa_score(*said))


def shared_by_hand(given: Mapping[str, Mapping[int, TagsByText]]) -> dict[int, dict[str, TagsByText]]:
    texts = {text for own in given.values() for text in own}
    annotations = {text: {who: own[text] for who, own in given.items() if text in own} for text in texts}
    return {text: own for text, own in annotations.items() if len(own) > 1}


def pairs_alike(shared: dict[int, dict[str, TagsByText]]) -> float:
    shares = []
    for own in shared.values():
        pairs = [one == other for one, other in combinations(own.values(), 2)]
        shares.append(sum(pairs) / len(pairs))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("seed", range(6))
def test_words_one_by_one_say_the_same(seed: int) -> None:
    """Alpha over words with tags given to each, by NLTK; F1 by seqeval."""
    random = Random(seed)
    texts = {
        text: tokenize(" ".join("word" for _ in range(random.randrange(1, 7))), Tokenization()) for text in range(25)
    }
    given: dict[str, dict[int, tuple[Span, ...]]] = {}
    for who in ("ann", "bob", "cleo"):
        given[who] = {
            text: spans_of(tags_at_random(random, len(w)), w) for text, w in texts.items() if random.random() < 0.8
        }
    marks = marks_of(given, borders(texts))
    found = span_agreement(marks)
    tags = {who: {text: tags_of(spans, texts[text]) for text, spans in own.items()} for who, own in given.items()}
    shared = {text for text in texts if sum(text in own for own in given.values()) > 1}
    words = [
        (who, f"{text} {place}", tag)
        for who, own in tags.items()
        for text in own
        if text in shared
        for place, tag in enumerate(own[text])
    ]
    assert found.alpha.value == pytest.approx(AnnotationTask(words).alpha())
    scores = []
    for one, other in combinations(tags.values(), 2):
        both = [text for text in one if text in other]
        scores.append(span_scores([one[text] for text in both], [other[text] for text in both]).f1)
    assert found.f1.value == pytest.approx(sum(scores) / 3)
    assert found.percent.value == pytest.approx(pairs_alike(shared_by_hand(given)))
    for slot, of_slot in span_agreement_by_slot(marks).items():
        alone = {
            who: {text: tuple(s for s in spans if s.slot == slot) for text, spans in own.items()}
            for who, own in given.items()
        }
        assert of_slot == approximately(span_agreement(marks_of(alone, borders(texts))))


def approximately(found: SpanAgreement) -> SpanAgreement:
    values = {name: getattr(found, name) for name in ("f1", "percent", "alpha")}
    return replace(
        found,
        **{
            name: Coefficient(pytest.approx(one.value), one.why)
            for name, one in values.items()
            if one.value is not None
        },
    )


def tags_at_random(random: Random, words: int) -> list[str]:
    tags: list[str] = []
    for _ in range(words):
        going_on = [f"I-{tags[-1][2:]}"] if tags and tags[-1] != "O" else []
        tags.append(random.choice(["O", "O", "O", "B-a", "B-b", *going_on, *going_on]))
    return tags


def test_a_hundred_thousand_texts_take_a_moment() -> None:
    given = drawn(1, raters=3, texts=100_000, labels=20, gaps=0.1)

    def report_progress() -> None:
        table = table_of(given)
        agreement(table), agreement_by_label(table), pairs_of(table)

    assert takes_less_than(2, report_progress)


def test_spans_of_a_hundred_thousand_texts_take_a_moment() -> None:
    random = Random(1)
    starts = [4 * random.randrange(8) for _ in range(100_000)]
    truth = {text: Span(start, start + 3, f"slot{random.randrange(20)}") for text, start in enumerate(starts)}
    given = {
        who: {text: (span,) if random.random() < 0.8 else () for text, span in truth.items() if random.random() < 0.9}
        for who in ("ann", "bob", "cleo")
    }
    words = dict.fromkeys(truth, [(4 * place, 4 * place + 3) for place in range(8)])

    def report_progress() -> None:
        marks = marks_of(given, words)
        assert span_agreement(marks).texts > 90_000
        span_agreement_by_slot(marks)

    assert takes_less_than(2, report_progress)
