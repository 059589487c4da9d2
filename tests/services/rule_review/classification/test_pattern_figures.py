"""What each pattern of a new rule does alone, and the rule without it."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.classification.pattern_figures import pattern_figures
from re2nn_core.services.rule_review.patterns import patterns_of
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse
from re2nn_core.services.values.rules import read_rules
from re2nn_core.text.tokenization import Tokenization

TEXTS = {"win a prize": "spam", "prize": "spam", "win": "spam", "a win for us": "ham", "i met and": "ham", "us": "ham"}
NEW = "$* ( prize | win | i $* and ) $*"
LOGIC = 'labels = ["ham", "spam"]\ndefault = "ham"\n'


def rules(expression: str) -> str:
    return f"[ham]\nus := us\n[spam]\nspam.new := {expression}\n"


def test_a_pattern_is_measured_alone_and_the_rule_without_it() -> None:
    """The three patterns of a new rule were judged as one."""
    bench, gold = TextBench(list(TEXTS), Tokenization()), list(TEXTS.values())
    now = analyse(bench, gold, rules(NEW), LOGIC)
    [_, rule] = now.system.ruleset.rules
    found = pattern_figures(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, range(len(TEXTS)))
    assert [(one.pattern.shown, one.texts, one.alone, one.without) for one in found] == [
        ("“prize”", 2, (2, 0), (2, 2)),
        ("“win”", 3, (2, 1), (2, 1)),
        ("“i … and”", 1, (0, 1), (3, 1)),
    ]


@pytest.mark.parametrize("dropped", ["prize", "win", "i $* and"])
def test_the_figures_are_those_of_the_rules_written_so(dropped: str) -> None:
    bench, gold = TextBench(list(TEXTS), Tokenization()), list(TEXTS.values())
    now, before = (analyse(bench, gold, rules(one), LOGIC) for one in (NEW, "never"))
    rule = now.system.ruleset.rules[1]
    found = pattern_figures(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, range(len(TEXTS)))
    left = " | ".join(one for one in ("prize", "win", "i $* and") if one != dropped)
    for expression, counts in (
        (dropped, {one.pattern.text: one.alone for one in found}),
        (f"( {left} )", {one.pattern.text: one.without for one in found}),
    ):
        after = analyse(bench, gold, rules(f"$* {expression} $*"), LOGIC)
        expected = int((after.correct & ~before.correct).sum()), int((before.correct & ~after.correct).sum())
        assert counts[f"$* {dropped} $*"] == expected


def test_a_rule_that_the_rules_have_not_is_an_error() -> None:
    bench = TextBench(list(TEXTS), Tokenization())
    now = analyse(bench, list(TEXTS.values()), rules(NEW), LOGIC)
    [_, other] = read_rules(rules("other")).ruleset.rules
    with pytest.raises(LookupError, match=r"spam\.new"):
        pattern_figures(other, (), now, bench, ())
