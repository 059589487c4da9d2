"""What is saved of a learned rule: its author's rule with the change in it, and nothing else."""

from __future__ import annotations

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_reconstruction.classification.rule_changes import accept_rules
from re2nn_core.services.rule_review.dropped_words import expression_without

PARCEL = "@parcel@=( parcel | package | courier )\n[spam]\n"
CITY = "@city@=( oslo | rome )\n[slots]\n"
MANY = " | ".join(f"w{number}" for number in range(12))
# What stands before the rule, the rule as it was written, what was learned, and what is saved.
CASES = {
    "a class and an order": (
        PARCEL,
        "fee := $* @parcel@ $* ( fee | unpaid | charge ) $*",
        "fee := $* ( . | courier | package | parcel ) $* ( charge | fee | unpaid ) $*",
        "fee := $* ( @parcel@ | . ) $* ( fee | unpaid | charge ) $*",
    ),
    "a line break, a comment and a way to write a sign": (
        PARCEL,
        'fee :=  $* ( "what" | \\$ ) \\\n      ( fee | unpaid )   // mine',
        'fee := $* ( "$" | due | what ) ( fee | unpaid )',
        'fee :=  $* ( "what" | \\$ | due ) \\\n      ( fee | unpaid )   // mine',
    ),
    "words that are factored another way": (
        PARCEL,
        "fee := $* ( see you | on my way | home safe ) $*",
        "fee := $* ( home ( safe | we ) | ( call | see ) you | on my way ) $*",
        "fee := $* ( ( see | call ) you | on my way | home ( safe | we ) ) $*",
    ),
    "a word less and a word more": (
        PARCEL,
        "fee := $* ( bring | pack ) ( a | an | my ) $+ &?",
        "fee := $* ( bring | pack ) ( a | an | on ) $+",
        "fee := $* ( bring | pack ) ( a | an | on ) $+ &?",
    ),
    "words behind another word": (
        PARCEL,
        "fee := $* ( loan | paid daily ) $*",
        "fee := ( loan | paid daily | $+ ( loan | ( paid | twice ) daily ) ) $*",
        "fee := $* ( loan | ( paid | $+ twice ) daily ) $*",
    ),
    "many words in a slot": (
        CITY,
        "fee := $* to [ @city@ ]<to> $*    // mostly",
        f"fee := $* to [ oslo | rome | {MANY} ]<to> $*",
        "fee := $* to [ @city@ | @fee.learned_12@ ]<to> $*    // mostly",
    ),
    "few words in a slot": (
        CITY,
        "fee := $* ( to | for ) [ @city@ ]<to> $*",
        "fee := $* ( for | in | to ) [ kyiv | oslo | rome ]<to> $*",
        "fee := $* ( to | for | in ) [ @city@ | kyiv ]<to> $*",
    ),
}


def accepted(classes: str, written: str, learned: str, **more: object) -> str:
    texts = f"{classes}{written}\nother := [ a ]<to> b\n", f"{classes}{learned}\nother := [ a ]<to> b\n"
    if "<to>" not in written:
        texts = f"{classes}{written}\n", f"{classes}{learned}\n"
    done = accept_rules(
        texts[1], ["fee"], trained_on=texts[0], rules_text=texts[0], logic_text="", lowercase=True, **more
    )
    rules = [
        next(rule for rule in read_rules(one).ruleset.rules if rule.name == "fee")
        for one in (done.rules_text, texts[1])
    ]
    assert language_verdict("fee", rules[0].expanded, rules[1].expanded).verdict is Verdict.SAME
    return done.rules_text


@pytest.mark.parametrize(("classes", "written", "learned", "saved"), CASES.values(), ids=list(CASES))
def test_an_accepted_rule_is_the_authors_with_only_the_change_in_it(
    classes: str, written: str, learned: str, saved: str
) -> None:
    """Saving sorted the words, wrote classes out and broke the lines anew, though the page showed the author's form."""
    assert saved in accepted(classes, written, learned)


def test_many_learned_words_are_a_class_of_their_own_on_wrapped_lines() -> None:
    lines = accepted(*CASES["many words in a slot"][:3]).splitlines()
    assert "@fee.learned_12@=( w0 | w1 | w10 |" in " ".join(lines)
    assert max(map(len, lines)) <= 110
    assert lines[0] == "@city@=( oslo | rome )"


def test_a_rule_that_somebody_edited_is_saved_as_it_was_edited() -> None:
    classes, written, learned, _ = CASES["a class and an order"]
    assert learned in accepted(classes, written, learned, edited=["fee"])


def test_a_rule_without_a_dropped_word_keeps_the_authors_form() -> None:
    classes, written, learned, _ = CASES["a class and an order"]
    learned = learned.replace("( .", '( "?" | .')
    left = expression_without(f"{classes}{learned}\n", f"{classes}{written}\n", "fee", ["."], lowercase=True)
    assert left == '$* ( @parcel@ | "?" ) $* ( fee | unpaid | charge ) $*'
