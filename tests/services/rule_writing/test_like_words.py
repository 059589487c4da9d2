"""Words of like meaning: found by vectors, written as the definition of a class, refused with what to do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from re2nn_core.embeddings.choose import KnownVectors
from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.errors import InputError, RuleError
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_writing.class_words import classes_of_words, with_class_words
from re2nn_core.services.rule_writing.like_words import (
    NearWords,
    decided,
    more_like,
    near_words,
    offered_nearness,
    too_wide,
    undecided,
    with_nearness,
    words_like,
)
from re2nn_core.text.like_words import read_like

ANGLES = {"refund": 0, "refunds": 10, "money": 40, "bag": 90, "suitcase": 100, "other": 180, "7": 12}
RULES = "// shop\n[back]\n$* @~refund:0.9@ $*\n[bag]\n$* [^ @~refund:0.9@ ] @~bag:0.95@<:>x\n"


def near() -> NearWords:
    """Words on a circle: the cosine is that of the angle between them."""
    turned = np.radians(list(ANGLES.values()))
    rows = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    return NearWords(KnownVectors(tuple(ANGLES), rows, "circle"), {word: 1 for word in ANGLES if word != "suitcase"})


def test_words_are_decided_once_and_kept_as_a_class() -> None:
    assert [one.name for one in undecided(RULES)] == ["~refund:0.9", "~bag:0.95"]
    text, found = decided(RULES, near())
    assert [one.word for one in found["~refund:0.9"]] == ["refund", "refunds", "7"]
    assert text.startswith("// shop\n@~bag:0.95@=( bag | suitcase ) // vectors circle, sha256 ")
    assert undecided(text) == ()
    assert decided(text, near()) == (text, {})
    assert decided(text, near(), again=True)[0] == text
    first, second = read_rules(text).ruleset.rules
    assert print_expression(first.tree) == "$* @~refund:0.9@ $*"
    assert print_expression(first.expanded) == "$* ( refund | refunds | 7 ) $*"
    assert print_expression(second.expanded) == "$* [^ refund refunds 7 ] ( bag | suitcase )<:>x"


def test_another_nearness_is_put_wherever_the_class_is_used() -> None:
    text = with_nearness(decided(RULES, near())[0], read_like("~refund:0.9"), 0.7, near())
    assert "@~refund:0.9" not in text
    assert text.count("@~refund:0.7@") == 3
    assert "@~refund:0.7@=( refund | refunds | 7 | money )" in text


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("@~rfund:0.5@", "The vectors 'circle' have none for the word 'rfund'. Did you mean 'refund'?"),
        ("@~refund,other:0.05@", "'@~refund,other:0.05@' takes "),
        ("@~suitcase:0.99@", "'@~suitcase:0.99@' takes only suitcase, and no text has it. Check how it is spelt"),
    ],
)
def test_a_word_without_a_vector_and_a_nearness_that_takes_all_are_refused(
    rule: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("re2nn_core.services.rule_writing.like_words.MOST_WORDS", 5)
    with pytest.raises(InputError) as raised:
        decided(f"[x]\n$* {rule} $*\n", near())
    assert message in str(raised.value)


def test_a_nearness_that_takes_many_words_of_the_texts_is_warned_of() -> None:
    """Of 200 words on a half circle those within 60 degrees are a third."""
    words = [f"w{place}" for place in range(200)]
    turned = np.radians(np.linspace(0, 180, len(words)))
    rows = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    circle = NearWords(KnownVectors(tuple(words), rows, "circle"), dict.fromkeys(words, 1))
    wide, narrow = read_like("~w0:0.5"), read_like("~w0:0.98")
    text = too_wide(wide, words_like(wide, circle), circle)
    assert text is not None
    assert text.startswith("'@~w0:0.5@' takes 67 of the 200 words of the texts, more than one in ten. Write a higher")
    assert too_wide(narrow, words_like(narrow, circle), circle) is None


def test_a_nearness_that_takes_most_of_the_nearest_words_is_warned_of() -> None:
    """The encoder's words are the 400 nearest to those that are named: few of them are in the texts."""
    words = [f"w{place}" for place in range(400)]
    turned = np.radians(np.linspace(0, 90, len(words)))
    rows = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    nearest = NearWords(KnownVectors(tuple(words), rows, "nearest"), dict.fromkeys(words[:15], 1))
    wide = read_like("~w0:0.5")
    text = too_wide(wide, words_like(wide, nearest), nearest)
    assert text is not None
    assert text.startswith("'@~w0:0.5@' takes 267 of the 400 words that are nearest, more than half. Write a higher")


def test_a_nearness_is_offered_where_words_get_much_less_near() -> None:
    assert offered_nearness(["refund"], near()) == pytest.approx((np.cos(np.radians(40)) + 0.2) / 2, abs=0.01)


def test_more_words_for_a_class_are_of_its_kind_those_of_the_texts_first() -> None:
    assert [one.word for one in more_like(["refund"], near())] == ["refunds", "money"]
    assert [one.word for one in more_like(["refunds", "bag"], near())] == ["money", "refund", "suitcase"]
    assert [one.word for one in more_like(["refunds", "bag"], near(), unseen=0)] == ["money", "refund"]
    assert more_like(["unheard"], near()) == []


def test_words_are_added_to_a_class_and_the_file_stays() -> None:
    rules = "// a\n@back@=( refund \\\n | money back ) // mine\n[x]\n$* @back@ $*\n"
    assert classes_of_words(read_rules(rules).ruleset) == {"back": ("refund",)}
    text = with_class_words(rules, "back", ["refunds", "a*b"], lowercase=True)
    assert text == '// a\n@back@=( refund | money back | refunds | "a*b" ) // mine\n[x]\n$* @back@ $*\n'


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("~refund", "does not name words and a nearness"),
        ("~refund:2", "the nearness 2 is not between 0.05 and 0.99"),
        ("~,:0.5", "names no word"),
        ("~refund:0.5", "which words are in '@~refund:0.5@' is not decided yet"),
    ],
)
def test_rules_say_what_is_wrong_with_a_class_of_like_words(name: str, message: str) -> None:
    with pytest.raises(RuleError, match=re.escape(message)):
        read_rules(f"[x]\n$* @{name}@ $*\n")


def test_vectors_made_from_the_texts_have_a_digest_that_holds() -> None:
    sentences = [("a", "blue", "bag"), ("a", "red", "bag"), ("the", "red", "suitcase")] * 4
    one, other = (near_words(sentences, ["bag"], "builtin") for _ in "12")
    assert one.digest == other.digest
    assert one.known.name == "builtin"
    assert set(one.known.words) == {"a", "blue", "bag", "red", "the", "suitcase"}


@pytest.mark.parametrize("named", [("refund",), ()])
def test_a_file_of_vectors_offers_words_that_no_text_has(tmp_path: Path, named: tuple[str, ...]) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("refund 1 0\nreimbursement 0.9 0.1\nbag 0 1\nbox 0 0.9\n", encoding="utf-8")
    found = near_words([("my", "bag"), ("a", "refund")], named, path)
    assert {"reimbursement", "box"} <= set(found.known.words)
    assert [one.word for one in words_like(read_like("~refund:0.9"), found)] == ["refund", "reimbursement"]


@pytest.mark.skipif(not encoder_is_installed(), reason="the weights of the sentence encoder are not installed")
def test_words_that_no_text_has_come_at_once_whatever_else_is_asked_for() -> None:
    sentences = [("i", "want", "a", "refund"), ("book", "a", "flight")]
    alone, both = near_words(sentences, ["refund"]), near_words(sentences, ["refund", "flight"])
    found = words_like(read_like("~refund:0.4"), alone)
    assert {"refund", "return", "returned", "cancel"} <= {one.word for one in found}
    assert found[0].count == 1
    assert not any(one.count for one in found[1:])
    again = {one.word: one.nearness for one in words_like(read_like("~refund:0.4"), both)}
    assert [again[one.word] for one in found] == pytest.approx([one.nearness for one in found], abs=1e-5)


def test_a_word_that_a_file_does_not_have_is_not_offered_in_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("refunds 1 0\nbag 0 1\nbox 0 0.9\n", encoding="utf-8")
    found = near_words([("my", "bag"), ("a", "refund"), ("two", "refunds")], ["refund"], path)
    with pytest.raises(InputError, match="have none for the word 'refund'. Did you mean 'refunds'?"):
        words_like(read_like("~refund:0.5"), found)


def test_the_only_word_with_a_vector_takes_itself_where_texts_have_it(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("refund 1 0\n", encoding="utf-8")
    found = near_words([("my", "bag"), ("a", "refund"), ("refund",)], ["refund"], path)
    assert [(one.word, one.count) for one in words_like(read_like("~refund:0.5"), found)] == [("refund", 2)]


def test_what_a_file_has_no_numbers_for_is_remarked_and_gets_no_neighbours(tmp_path: Path) -> None:
    """A row of zeros says nothing of a word, and one with too few numbers cannot be read."""
    path = tmp_path / "vectors.txt"
    path.write_text("refund 0 0 0\nbag 0 1 0\nbox 0 0.9 0.1\nflight 1 0\nfar -1 -1 0\n", encoding="utf-8")
    found = near_words([("my", "bag", "box"), ("a", "refund"), ("a", "flight")], ["refund", "bag"], path)
    assert "refund" not in found.places
    assert "1 word ('refund') with a vector of zeros left out." in found.known.remark
    assert "1 row of the file could not be read, first " in found.known.remark
    assert more_like(["refund"], found) == []


def test_capital_letters_do_not_count_where_texts_are_read_in_lower_case(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("refund 1 0\nRefund 1 0\nrefunds 0.9 0.1\nbag 0 1\n", encoding="utf-8")
    near = near_words([("a", "refund"), ("a", "bag")], ["Refund"], path)
    text, _ = decided("[x]\n$* @~Refund:0.45@ $*\n", near)
    assert text.startswith("@~Refund:0.45@=( refund | refunds ) //")
    assert read_rules(text).warnings == ()


def test_a_nearness_that_is_changed_by_hand_is_reported_and_its_words_are_found_anew() -> None:
    text = decided(RULES, near())[0]
    assert ", nearness 0.9\n" in text
    changed = text.replace("@~refund:0.9@", "@~refund:0.7@")
    messages = [[warning.message for warning in read_rules(rules).warnings] for rules in (text, changed)]
    assert len(messages[1]) == len(messages[0]) + 1
    assert messages[1][0] == "the words of '@~refund:0.7@' were found for the nearness 0.9"
    assert [one.name for one in undecided(changed)] == ["~refund:0.7"]
    assert "@~refund:0.7@=( refund | refunds | 7 | money )" in decided(changed, near())[0]
