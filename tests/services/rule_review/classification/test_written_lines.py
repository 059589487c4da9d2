"""What a network changed and added stands in the author's lines, where that predicts the same."""

from __future__ import annotations

from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize
from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules
from re2nn_core.services.rule_review.classification.written_lines import in_written_lines
from re2nn_core.text.tokenization import Tokenization

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
    assert in_written_lines(without_go, ("a plane", "fly"), PLAIN) is without_go
