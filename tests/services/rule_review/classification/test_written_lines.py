"""What a network changed and added stands in the author's lines, where that predicts the same."""

from __future__ import annotations

import pytest

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize
from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules
from re2nn_core.services.rule_review.classification.written_lines import (
    in_written_lines,
    reconstruction_in_written_lines,
)
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

PLAIN = Tokenization()
BEGUN = """\
// Asked at the counter.

[fare]
asked  :=  $* ( price | cost ) $*     // never "how much"

[flight]
go := $* ( fly | plane ) $*
"""
LEARNED = """\
[fare]
asked := $* ( price | cost | fee ) $*
fare.new := $* discount $*

[flight]
go := $* ( fly | plane ) $*
"""
LOGIC = 'first = [\n    "fare.new -> fare",\n]\n'
TEXTS = ("the fee of it", "a plane with discount", "the price", "fly home", "nothing")


def _found(rules_text: str = LEARNED, begun: tuple[str, str] | None = (BEGUN, "")) -> PredictedRules:
    return PredictedRules(rules_text, LOGIC, (), (), RulesOfSize(1, 2, {}), 5, by_network=True, begun=begun)


def test_comments_and_layout_stay_and_new_rules_predict_first() -> None:
    found = in_written_lines(_found(), TEXTS, PLAIN)
    lines = found.rules_text.splitlines()
    assert lines[:3] == ["// Asked at the counter.", "", "[fare]"]
    assert 'never "how much"' in found.rules_text
    assert "fare.new := $* discount $*" in lines
    assert any(line.startswith("asked") and "fee" in line for line in lines)
    assert "fare.new -> fare" in found.logic_text


def test_without_a_network_or_with_other_predictions_rules_are_as_they_were_found() -> None:
    alone = _found(begun=None)
    assert in_written_lines(alone, TEXTS, PLAIN) is alone
    without_go = _found(LEARNED.replace("go := $* ( fly | plane ) $*", "go2 := $* fly $*"))  # "go" would come back
    assert in_written_lines(without_go, ("a plane", "fly"), PLAIN) == without_go


@pytest.fixture
def bundle() -> Bundle:
    vocabulary = build_vocabulary([text.split() for text in TEXTS])
    return build_bundle(BEGUN, "", PLAIN, vocabulary, NetworkConfig(vectors="none"))


def test_a_reconstructed_network_keeps_comments_and_says_of_new_rules_where_they_come_from(bundle: Bundle) -> None:
    printed = LEARNED.replace("$* discount $*", "$* discount $* // proposed for the labelled texts")
    found = reconstruction_in_written_lines(Reconstruction(printed, LOGIC, (), ()), bundle, TEXTS)
    lines = found.rules_text.splitlines()
    assert lines[:3] == ["// Asked at the counter.", "", "[fare]"]
    assert 'never "how much"' in found.rules_text
    assert "fare.new := $* discount $*    // proposed for the labelled texts" in lines
    assert "fare.new -> fare" in found.logic_text


@pytest.mark.parametrize("odd", [{"dropped": ("go",)}, {"new_logic": ("fare",)}])
def test_where_rules_went_or_label_logic_was_learned_all_is_as_it_was_printed(
    bundle: Bundle, odd: dict[str, tuple[str, ...]]
) -> None:
    found = Reconstruction(LEARNED, LOGIC, (), (), **odd)  # type: ignore[arg-type]
    assert reconstruction_in_written_lines(found, bundle, TEXTS) is found
