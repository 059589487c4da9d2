"""The texts that rules are made from, with guessed labels where these help."""

from __future__ import annotations

import numpy as np

from re2nn_core.services.rule_writing.classification.grown_rules import grow
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material, material_of, with_guesses
from re2nn_core.services.rule_writing.classification.proposals import propose
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.text.tokenization import Tokenization

PLACEHOLDER = "[fare]\n$* yourword $*\n"
CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "porto", "paris", "delhi", "quito", "lima", "cairo")
ROWS: tuple[tuple[str, str | None, str | None], ...] = (
    *((f"fares {city} ticket{place}", "fare", "train") for place, city in enumerate(CITIES)),
    *((f"seats {city} row{place}", "seat", "train") for place, city in enumerate(CITIES)),
    *(("trip abroad", "fare", "train"), ("trip home", "fare", "train")),
    *(("desk there", "seat", "train"), ("desk window", "seat", "train")),
    *((f"fares trip {place}", None, "train") for place in range(6)),
    *((f"seats desk {place}", None, None) for place in range(6)),
    *((f"trip {place}", None, "train") for place in range(6)),
    *((f"desk {place}", None, None) for place in range(6)),
    ("a trip", "fare", "test"),
    ("a desk", "seat", "dev"),
    ("trip unlabelled", None, "test"),
)
GOLD, SPLITS = [row[1] for row in ROWS], [row[2] for row in ROWS]
BENCH = TextBench([row[0] for row in ROWS], Tokenization())


def _material(rules: str = PLACEHOLDER) -> tuple[Analysis, Material]:
    now = analyse(BENCH, GOLD, rules, "")
    return now, with_guesses(material_of(GOLD, SPLITS, now.labels), BENCH.sentences, GOLD, SPLITS)


def test_labels_are_guessed_outside_of_dev_and_test_where_it_helps() -> None:
    now, material = _material()
    assert material.guessed is not None
    assert [SPLITS[place] in ("dev", "test") for place in material.guessed.places].count(True) == 0
    labels = [material.labels[number] for number in material.guessed.labels]
    reported = {BENCH.sentences[place][0]: label for place, label in zip(material.guessed.places, labels, strict=True)}
    assert reported == {"fares": "fare", "seats": "seat", "trip": "fare", "desk": "seat"}
    proposals = propose(BENCH, now, material)
    assert sorted(one.expression for one in proposals) == ["$* ( fares | trip ) $*", "$* ( seats | desk ) $*"]
    assert [(one.fixed_unseen, one.fixed_guessed) for one in proposals] == [(14, 12), (14, 12)]


def test_rules_grown_with_guesses_hold_on_texts_of_dev_and_test() -> None:
    now, material = _material()
    grown = analyse(BENCH, GOLD, *grow(BENCH, now, material))
    held_out = np.asarray(
        [split in ("dev", "test") and label is not None for label, split in zip(GOLD, SPLITS, strict=True)]
    )
    assert grown.correct[held_out].all()


def test_guesses_no_longer_count_where_the_rules_are_as_good() -> None:
    now, material = _material("[fare]\n$* ( fares | trip ) $*\n\n[seat]\n$* ( seats | desk ) $*\n")
    assert material.guessed is not None
    assert propose(BENCH, now, material) == ()


def test_without_unlabelled_texts_or_enough_labelled_ones_nothing_is_guessed() -> None:
    few = material_of(GOLD[:10], SPLITS[:10])
    assert with_guesses(few, BENCH.sentences[:10], GOLD[:10], SPLITS[:10]).guessed is None
    own = material_of(GOLD[:24], SPLITS[:24])
    assert with_guesses(own, BENCH.sentences[:24], GOLD[:24], SPLITS[:24]).guessed is None
