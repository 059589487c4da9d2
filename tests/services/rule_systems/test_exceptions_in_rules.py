"""Words that an arc reads too much stand in a comment behind the rule, which is read back as the same rule."""

from __future__ import annotations

from re2nn_core.reconstruction.classification.moved_rules import with_exceptions
from re2nn_core.reconstruction.weights.edges import LearnedEdge, MovedEdges
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.read import read_rules

RULES = read_rules("[go]\nfly := $* fly $ to $*    // any flight\nwalk := $* walk $*\n").ruleset


def moved(*exceptions: str) -> dict[str, MovedEdges]:
    edge = LearnedEdge(1, 2, "$", 1, 2, (), (), exceptions, "")
    return {"fly": MovedEdges(0.5, 1, 3, (edge, edge))}


def test_exceptions_are_told_once_behind_what_was_written() -> None:
    text = write_rules(with_exceptions(RULES, moved("//", "home")))
    reported = "fly := $* fly $ to $* // any flight; $ also matches //, home, which weigh less than 0.50\n"
    assert reported in text
    assert text.endswith("walk := $* walk $*\n")
    assert [rule.expanded for rule in read_rules(text).ruleset.rules] == [rule.expanded for rule in RULES.rules]


def test_without_exceptions_nothing_is_said() -> None:
    assert write_rules(with_exceptions(RULES, moved())) == write_rules(RULES)
