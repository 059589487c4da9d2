"""Coefficients of agreement: published examples, a second library, and what is not defined."""

from __future__ import annotations

import pytest

from re2nn_core.services.agreement import (
    Ratings,
    agreement,
    agreement_by_label,
    pairs_of,
    span_agreement,
)


def ratings(**rows: str) -> Ratings:
    """A letter for each text, a point where there is no answer."""
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
    assert found.texts == 11  # the last text has one answer
    assert found.percent.value == pytest.approx(0.818, abs=5e-4)
    assert found.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert found.ac1.value == pytest.approx(0.775, abs=5e-4)
    assert found.fleiss.value is None
    assert "the same number of answers for every text" in found.fleiss.why
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
    # Gwet (2008): nearly all answers are no; kappa says chance, AC1 does not.
    found = agreement(ratings(a="n" * 118 + "y" * 5 + "n" * 2, b="n" * 118 + "n" * 5 + "y" * 2))
    assert found.percent.value == pytest.approx(0.944)
    assert found.cohen.value is not None
    assert found.cohen.value < 0
    assert found.ac1.value == pytest.approx(0.9408, abs=5e-4)


UNDEFINED = (
    ("nobody", {}, "no text has answers of two people"),
    ("one person", ratings(a="xyx"), "no text has answers of two people"),
    ("no common text", ratings(a="x..", b=".yx"), "no text has answers of two people"),
    ("one label", ratings(a="xxx", b="xxx"), "all answers are the same label"),
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
    ann = {0: ["B-city", "O", "O"], 1: ["O", "B-day", "I-day"]}
    bob = {0: ["B-city", "O", "O"], 1: ["O", "B-day", "O"], 2: ["O"]}
    found = span_agreement({"ann": ann, "bob": bob})
    assert found.texts == 2
    assert found.f1.value == pytest.approx(0.5)
    assert found.percent.value == pytest.approx(0.5)
    # Six words, one apart: coincidences of B-city 2, O 6+1, B-day 2, I-day 1: 1 - 11 * 2 / (144 - 4 - 49 - 4 - 1).
    assert found.alpha.value == pytest.approx(1 - 11 * 2 / (12**2 - 4 - 49 - 4 - 1))


def test_spans_that_nobody_marked_and_words_that_differ() -> None:
    found = span_agreement({"ann": {0: ["O"]}, "bob": {0: ["O"]}})
    assert (found.f1.value, found.f1.why) == (None, "nobody marked a span")
    assert found.alpha.value is None
    with pytest.raises(ValueError, match=r"the tags of text 0 must be over the same words \(got ann: 1, bob: 2\)"):
        span_agreement({"ann": {0: ["O"]}, "bob": {0: ["O", "O"]}})
