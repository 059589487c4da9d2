"""Expressions that ask for the letters of a word, as the review lists and drops them."""

from __future__ import annotations

from re2nn_core.plots.review.learned_words import WordFacts, learned_as_html
from re2nn_core.proposals.word_shapes import SHAPE, pattern_of
from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.dropped_words import expression_without
from re2nn_core.services.rule_review.letter_matches import letter_matches
from re2nn_core.services.values.rules import read_rules
from re2nn_core.text.tokenization import Tokenization, words

ADDRESS = 're"([a-z0-9-]+[.])+[a-z]{2,}(/.*)?"'
TEXTS = (("see", "a.example/x"), ("ok.thanks", "bye"), ("ok", "thanks"))


def learned(before: str, after: str) -> str:
    texts = (f"[spam]\n{rule}\n" if rule else "[spam]\nx := z\n" for rule in (before, after))
    rule = ChangedRule("rule", tuple(read_rules(text).ruleset for text in texts), learned=True)  # type: ignore[arg-type]
    matches = letter_matches(rule.newest.tree, TEXTS, Tokenization())
    return learned_as_html(rule.pieces, {}, WordFacts(seen=frozenset(), matches=matches), droppable=True)


def test_an_expression_inside_a_word_is_one_learned_thing() -> None:
    """It was cut into “.”, “?”, a-z0-9- and more, each with a button that could drop nothing."""
    shown = learned("", f"rule := $* {ADDRESS} $*")
    assert "re&quot;([a-z0-9-]+[.])+[a-z]{2,}(/.*)?&quot;: 2 of your texts, e.g. “a.example/x”, also" in shown
    assert "common words" not in shown
    assert "Rare" not in shown
    assert "data-drop" not in shown  # nothing would be left of the rule


def test_an_expression_beside_words_is_dropped_as_one() -> None:
    before, after = "rule := $* prize $*", f'rule := $* ( prize | {ADDRESS} | lemma:"win" | glob"w*" ) $*'
    shown = learned(before, after)
    assert shown.count("data-drop") == 3
    left = expression_without(f"[spam]\n{after}\n", f"[spam]\n{before}\n", "rule", [ADDRESS], lowercase=True)
    assert left == '$* ( prize | lemma:"win" | glob"w*" ) $*'


def test_what_an_expression_matches_is_counted_by_texts() -> None:
    tree = parse_expression('$* ( glob"th*" | case"Ok" ) $*')
    assert letter_matches(tree, TEXTS, Tokenization())['glob"th*"'] == 'glob"th*": 1 of your texts, e.g. “thanks”'


def test_an_expression_of_a_known_kind_goes_by_its_name() -> None:
    """A newcomer could not say what re"(https?://)?([a-z0-9-]+[.])+[a-z]{2,}(/.*)?" matches."""
    expression = pattern_of(f"{SHAPE}web_address")
    title = "words with a dot inside (addresses, file names, end.Next)"
    shown = learned("", f"rule := $* {expression} $*")
    assert f'Matches: <b class="re2-up">{title}: 2 of your texts, e.g. “a.example/x”, also' in shown


def test_all_that_the_expression_of_addresses_reads_is_named() -> None:
    """“web and mail addresses” did not say that it reads two sentences without a blank in between."""
    expression = pattern_of(f"{SHAPE}web_address")
    tree = parse_expression(f"$* {expression} $*")
    sentences = [words("ok.bye", Tokenization())]
    matches = letter_matches(tree, sentences, Tokenization())[expression]
    assert matches.startswith(
        "words with a dot inside (addresses, file names, end.Next): 1 of your texts, e.g. “ok.bye”"
    )
