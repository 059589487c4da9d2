"""What each pattern of a new rule does alone, and the rule without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from re2nn_core.services.rule_review.classification.pattern_figures import Counts, measured_patterns
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
    found = measured_patterns(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, range(len(TEXTS))).figures
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
    found = measured_patterns(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, range(len(TEXTS))).figures
    left = " | ".join(one for one in ("prize", "win", "i $* and") if one != dropped)
    for expression, counts in (
        (dropped, {one.pattern.text: one.alone for one in found}),
        (f"( {left} )", {one.pattern.text: one.without for one in found}),
    ):
        after = analyse(bench, gold, rules(f"$* {expression} $*"), LOGIC)
        expected = int((after.correct & ~before.correct).sum()), int((before.correct & ~after.correct).sum())
        assert counts[f"$* {dropped} $*"] == expected


def fewer(texts: dict[str, str | None], held: Sequence[int], new: str = NEW) -> tuple[list[str], Counts, bool, int]:
    bench, gold = TextBench(list(texts), Tokenization()), list(texts.values())
    now = analyse(bench, gold, rules(new), LOGIC)
    [_, rule] = now.system.ruleset.rules
    found = measured_patterns(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, held).fewer
    assert found is not None
    return [one.shown for one in found.dropped], found.counts, found.gains, found.lost


def test_patterns_that_break_more_than_they_fix_are_named_together_with_those_that_fix_nothing() -> None:
    """A new rule was recommended whole, though the table said that it is better without a pattern."""
    texts = {"prize": "spam", "win": "spam", "a win": "ham", "to win": "ham", "i met and": None, "win it": "spam"}
    new = "$* ( prize | win | never ) $*"
    assert fewer(texts, range(4), new) == (["“win”", "“never”"], (1, 0), True, 1)


def test_a_pattern_that_fixes_nothing_is_named_by_itself() -> None:
    assert fewer({"prize": "spam", "win": "spam"}, [0], NEW) == (["“i … and”"], (1, 0), False, 0)


@pytest.mark.parametrize(
    ("texts", "held"),
    [
        ({"prize": "spam", "win": "spam", "i met and": None}, [0, 1]),  # a text without a label gets another prediction
        (
            {"prize": "spam", "i am and": "spam", "win": "ham"} | dict.fromkeys(map("win {}".format, "abcde"), "spam"),
            [2],
        ),
        ({"prize": "spam", "a win": "ham", "win": "spam", "i met and": "spam"}, [0, 1, 2]),  # as much fixed as broken
        ({"prize": "spam", "a win": "ham", "i met and": "ham"}, []),  # nothing decides
    ],
)
def test_patterns_are_kept_where_the_texts_do_not_speak_against_them(texts: dict[str, str], held: list[int]) -> None:
    """One text against many, and patterns whose texts nobody has labelled."""
    bench = TextBench(list(texts), Tokenization())
    now = analyse(bench, list(texts.values()), rules(NEW), LOGIC)
    [_, rule] = now.system.ruleset.rules
    assert measured_patterns(rule, patterns_of(rule.tree, {}, Tokenization()), now, bench, held).fewer is None


def test_a_rule_that_the_rules_have_not_is_an_error() -> None:
    bench = TextBench(list(TEXTS), Tokenization())
    now = analyse(bench, list(TEXTS.values()), rules(NEW), LOGIC)
    [_, other] = read_rules(rules("other")).ruleset.rules
    with pytest.raises(LookupError, match=r"spam\.new"):
        measured_patterns(other, (), now, bench, ())
