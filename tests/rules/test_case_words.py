"""Words of which the case counts: read, printed, refused with what to do; texts with them; plain words beside them."""

from __future__ import annotations

import pytest

import re2nn_core as re2nn
from re2nn_core.errors import RuleError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import tokenization_for
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization, tokenize, words

RULES = '[company]\nfirm := $* case"Apple" $*\n[fruit]\nfood := $* apple $* but not ( $* case"Apple" $* )\n'


@pytest.mark.parametrize("text", ['case"Apple"', '$* case"us"+ [^ case"IBM" a ]', '[ case"Été" ]<x>'])
def test_printed_expressions_read_as_the_same(text: str) -> None:
    tree = parse_expression(text)
    assert print_expression(tree) == text
    assert parse_expression(print_expression(tree)) == tree


def test_a_plain_word_reads_the_spellings_that_others_ask_for() -> None:
    ruleset = read_rules(RULES).ruleset
    assert ruleset.cased == {"Apple"}
    assert print_expression(ruleset.rules[1].tree).startswith("$* apple $*")
    assert print_expression(ruleset.rules[1].expanded).startswith('$* ( apple | case"Apple" ) $*')


def test_where_case_counts_anyway_it_is_a_word_as_any_other() -> None:
    ruleset = read_rules(RULES, lowercase=False).ruleset
    assert ruleset.cased == frozenset()
    assert print_expression(ruleset.rules[0].expanded) == "$* Apple $*"


@pytest.mark.parametrize("kind", [kind for kind in TOKENIZER_KINDS if kind != "jieba"])
def test_texts_keep_the_spellings_that_are_asked_for(kind: str) -> None:
    tokenization = tokenization_for(read_rules(RULES).ruleset, Tokenization(kind))  # type: ignore[arg-type]
    text = "APPLE Apple apple Ünder Apple"
    assert words(text, tokenization) == ("apple", "case Apple", "apple", "ünder", "case Apple")
    assert tuple(token.text for token in tokenize(text, tokenization)) == words(text, tokenization)
    assert [text[token.start : token.end] for token in tokenize(text, tokenization)] == text.split()


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ('case""', "the quotes are empty", 'Write one word between the quotes, as texts spell it: case"Apple".'),
        ('case"New York"', "one word is matched, and no word has a blank", "Write one word"),
        ('case"747"', "'747' has no letters in upper or lower case", 'Write "747" without case.'),
    ],
)
def test_what_has_no_case_is_refused(text: str, message: str, advice: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_rules(f"[x]\n$* {text} $*\n")
    [fault] = raised.value.faults
    assert message in fault.message
    assert advice in fault.advice
    assert (fault.line, fault.column) == (2, 4)


def test_capitals_that_do_not_count_are_told_how_to_count() -> None:
    [warning] = read_rules("[x]\n$* Apple $*\n").warnings
    assert warning.advice == 'Write apple; case"Apple" where the capitals count.'


def test_rules_that_tell_a_spelling_apart_are_compared_with_rules_that_do_not() -> None:
    plain, cased = (re2nn.compile(f"[x]\na := $* {word} $*\n") for word in ("apple", 'case"Apple"'))
    assert [rule.verdict.value for rule in re2nn.diff(plain, cased).rules] == ["contains"]
    assert [rule.verdict.value for rule in re2nn.diff(cased, plain).rules] == ["contained"]
    assert plain.predict(["an Apple", "an apple"]) == ["x", "x"]
    assert cased.predict(["an Apple", "an apple"]) == ["x", None]


def test_a_trained_network_keeps_the_spellings_and_its_reconstruction_writes_them(tmp_path) -> None:  # type: ignore[no-untyped-def]
    model = re2nn.compile(RULES)
    texts = ["Apple sells phones", "an apple a day", "APPLE pie", "what Apple says", "eat the apple"]
    data = tmp_path / "texts.tsv"
    labels = ["company", "fruit", "fruit", "company", "fruit"]
    rows = [f"{label}\t{text}\n" for label, text in zip(labels, texts, strict=True)]
    data.write_text("label\ttext\n" + "".join(rows * 8))
    assert model.predict(texts) == labels
    trained = re2nn.train(model, data, epochs=2)
    assert trained.predict(texts) == labels
    learned = re2nn.reconstruct(trained, data)
    assert learned.predict(texts) == labels
    assert 'case"Apple"' in learned.system.rules_text
    trained.save(tmp_path / "model")
    assert re2nn.load(tmp_path / "model").predict(texts) == labels
