"""Captures and tags put on the leaves: by the definition of captures, as published, and in hard places."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from support.rules import oracles, strategies
from support.rules.automata_strategies import TEXT_WORDS
from support.rules.tagged_rules import ATIS, BENCHMARKS, SNIPS, TagCase, published_rules, slot_trees, tag_cases
from support.rules.tagging_oracles import output_sequences

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import (
    has_slots,
    print_tagged,
    slot_of,
    slots_of,
    tagged,
    tags_of_tree,
    with_slot_case,
)
from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    children,
    choice,
    concat,
    named_words,
    walk,
)

SENTENCES = [*oracles.all_sentences(TEXT_WORDS, 1), *oracles.all_sentences(("a", "b", "7"), 3)]
# Where the published expansion differs in its signs, though not in what it means.
PUBLISHED_ODDITIES = {
    "slots.45": "keeps the parentheses of the file around ( ground transportation ), which are not needed",
}


def well_tagged(tree: Node) -> bool:
    """Every word is read by a tagged leaf; BOS and EOS are bare; there is no capture."""
    if isinstance(tree, Tagged):
        return not children(tree.inner) and not isinstance(tree.inner, Tagged | SentenceStart | SentenceEnd)
    if isinstance(tree, Concat | Choice | Repeat):
        return all(well_tagged(child) for child in children(tree))
    return not isinstance(tree, Capture | Word | ClassReference)


@pytest.mark.parametrize(
    ("rule", "printed"),
    [
        ("$* from [ $ ]<city>", "$<:>OO* from<:>OO $<:>B-city"),
        ("$* from $<:>B-city", "$<:>OO* from<:>O $<:>B-city"),
        ("% & $ $<:>x", "%<:>O &<:>O $<:>OO $<:>B-x"),
        ("a b<:>x [ c ]<y>", "a<:>OO b<:>B-x c<:>B-y"),
        ("a $ %", "a<:>OO $<:>OO %<:>OO"),
        ("[ $* ]<x>", "( $<:>B-x $<:>I-x* )?"),
        ("[ $+ ]<x>", "$<:>B-x $<:>I-x*"),
        ("[ $? ]<x>", "$<:>B-x?"),
        ("[ ${2,5} ]<x>", "$<:>B-x $<:>I-x{1,4}"),
        ("[ ${0,5} ]<x>", "( $<:>B-x $<:>I-x{0,4} )?"),
        ("[ ${3,} ]<x>", "$<:>B-x $<:>I-x{2,}"),
        ("[ a{2} ]<x>", "a<:>B-x a<:>I-x"),
        ("[ a{0} ]<x> b", "( ) b<:>OO"),
        ("[ a? b ]<x>", "a<:>B-x b<:>I-x | b<:>B-x"),
        ("[ a? b? ]<x>", "( a<:>B-x b<:>I-x? | b<:>B-x )?"),
        ("[ ( a? b )* ]<x>", "( ( a<:>B-x b<:>I-x | b<:>B-x ) ( a<:>I-x? b<:>I-x )* )?"),
        ("[ ( a? b? )+ ]<x>", "( ( a<:>B-x b<:>I-x? | b<:>B-x ) ( a<:>I-x? b<:>I-x? )* )?"),
        ("[ a | b c | ( ) ]<x>", "( a<:>B-x | b<:>B-x c<:>I-x )?"),
        ("[ a ]<x>{2}", "a<:>B-x{2}"),
        ("[ BOS a ]<x> b", "BOS<:>O a<:>B-x b<:>OO"),
        ("[ BOS? a EOS? ]<x>", "BOS<:>O? a<:>B-x EOS<:>O?"),
        ("[ BOS ]<x> a", "BOS<:>O a<:>OO"),
        ("[ ( BOS | a )? ]<x>", "a<:>B-x | BOS<:>O?"),
        ("( a b | c )<:>x", "a<:>B-x b<:>I-x | c<:>B-x"),
        ("( a b | c )<:>i-x", "a<:>I-x b<:>I-x | c<:>I-x"),
        ("( a b )<:>O", "a<:>O b<:>O"),
        ("a<:>x* b", "a<:>B-x* b<:>O"),
    ],
)
def test_printed(rule: str, printed: str) -> None:
    assert print_expression(parse_expression(printed)) == print_expression(tagged(parse_expression(rule)))
    assert print_tagged(tagged(parse_expression(rule))) == printed


@pytest.mark.parametrize("case", tag_cases(), ids=lambda case: case.name)
def test_table(case: TagCase) -> None:
    """The table agrees with the definition, and the tagged tree with both."""
    assert output_sequences(case.tree, case.sentence) == case.sequences
    assert output_sequences(tagged(case.tree), case.sentence) == case.sequences


@settings(max_examples=50, deadline=None)
@given(slot_trees())
@example(ButNot(Capture(Repeat(Word("a"), 0, 0), "x"), Word("a")))
def test_tagged_trees_mean_what_was_written(tree: Node) -> None:
    made = tagged(tree)
    assert well_tagged(made)
    assert tagged(made) == made
    assert parse_expression(print_tagged(made)) == made
    assert parse_expression(print_expression(made)) == made
    for sentence in SENTENCES:
        assert output_sequences(made, sentence) == output_sequences(tree, sentence)


@settings(max_examples=100, deadline=None)
@given(strategies.trees(classes=False))
@example(Capture(Repeat(choice([Word("flight"), SentenceStart()]), 3, 3), "city"))
def test_any_tree_can_be_tagged(tree: Node) -> None:
    made = tagged(tree)
    assert well_tagged(made)
    assert parse_expression(print_tagged(made)) == made
    assert set(slots_of([made])) <= set(slots_of([tree]))
    for word in sorted({"zz", *named_words(tree)})[:3]:
        for sentence in ((word,), (word, word), (word, "zz")):
            assert output_sequences(made, sentence) == output_sequences(tree, sentence)


def test_published_rules_expand_as_published() -> None:
    rules = published_rules(ATIS).rules
    lines = (BENCHMARKS / "rules" / f"{ATIS}.parsed").read_text(encoding="utf-8").splitlines()
    different = []
    for rule, line in zip(rules, lines, strict=True):
        tree = tagged(rule.expanded)
        assert parse_expression(line) == tree, rule.name
        if print_tagged(tree).replace(" ", "") != line.replace(" ", ""):
            different.append(rule.name)
    assert different == list(PUBLISHED_ODDITIES)


def test_published_slots_once_their_case_is_folded() -> None:
    """Every slot of the published rules is one of the data, but for those of which the data say nothing."""
    for name, folder, unknown in ((ATIS, "atis", ["month_name"]), (SNIPS, "snips", [])):
        rules = published_rules(name).rules  # skips where the published files are not here
        lines = (BENCHMARKS / folder / "train.jsonl").read_text(encoding="utf-8").splitlines()
        known = {slot for line in lines for tag in json.loads(line)["tags"] if (slot := slot_of(tag))}
        trees = [with_slot_case(tagged(rule.expanded), sorted(known)) for rule in rules]
        assert set(slots_of(trees)) - known <= set(unknown)
    assert "timeRange" in slots_of(trees)
    assert "timerange" in slots_of(published_rules(SNIPS))


def test_slots_and_tags() -> None:
    assert [slot_of(tag) for tag in ("B-city", "i-city", "city", "B-")] == ["city", "city", "city", "B-"]
    assert [slot_of(tag) for tag in ("O", "OO")] == [None, None]
    rules = read_rules("@c@=( a | b c )\n[slots]\n$* [ x ]<to> @c@\n@c<:>from@ d<:>I-to $<:>OO").ruleset
    assert slots_of(rules) == ("to", "from")
    assert [tags_of_tree(tagged(rule.expanded)) for rule in rules.rules] == [("B-to",), ("B-from", "I-from", "I-to")]
    assert tags_of_tree(tagged(parse_expression("a b<:>x"))) == ("O", "B-x")
    assert [has_slots(parse_expression(text)) for text in ("a $*", "a<:>x", "[ a ]<x>")] == [False, True, True]


def test_case_of_slots() -> None:
    tree = parse_expression("a<:>b-timerange b<:>I-TIMERANGE [ c ]<TimeRange> @d<:>City@ e<:>O f<:>OO g<:>b-Other")
    folded = with_slot_case(tree, ["timeRange", "city", "CITY"])
    assert print_expression(folded) == (
        "a<:>B-timeRange b<:>I-timeRange [ c ]<timeRange> @d<:>city@ e<:>O f<:>OO g<:>B-Other"
    )
    assert with_slot_case(parse_expression("a<:>B-CITY"), ["city", "CITY"]) == parse_expression("a<:>B-CITY")
    assert with_slot_case(parse_expression("a<:>CITY"), ["City", "city"]) == parse_expression("a<:>City")


def test_a_class_has_to_be_put_in() -> None:
    with pytest.raises(ValueError, match="@city@ is not put in; tag Rule.expanded"):
        tagged(parse_expression("@city<:>x@"))
    with pytest.raises(ValueError, match="@city@ is not put in; tag Rule.expanded"):
        tagged(parse_expression("to @city@"))


def test_long_rows_of_optional_words_are_not_copied_once_for_each() -> None:
    tree = Capture(concat([Repeat(Word(f"w{number}"), 0, 1) for number in range(1000)]), "x")
    assert sum(1 for _ in walk(tagged(tree))) < 60_000
    fixed = Capture(concat([Word(f"w{number}") for number in range(5000)]), "x")
    assert sum(1 for _ in walk(tagged(fixed))) == 2 * 5000 + 1


def test_high_counts_stay_counts() -> None:
    assert print_tagged(tagged(parse_expression("[ ( a? b? ){10,1000} ]<x>"))) == (
        "( ( a<:>B-x b<:>I-x? | b<:>B-x ) ( a<:>I-x? b<:>I-x? ){9,999} )?"
    )


def test_deep_trees() -> None:
    """As deep as classes inside classes may make them."""
    nested: Node = Word("z")
    for level in range(50):
        nested = choice([concat([Repeat(Word("a"), 0, 1), Repeat(nested, 0, None)]), Word(f"w{level}")])
    tree = tagged(Capture(nested, "x"))
    assert well_tagged(tree)
    assert accepts(build_positions(tree), ("a", "a", "w3"))
    assert print_tagged(tree).startswith("( a<:>B-x ( a<:>I-x? (")


def test_a_capture_named_like_a_tag_is_warned_of() -> None:
    found = read_rules("[slots]\nto [ $ ]<B-city> now")
    (warning,) = found.warnings
    assert (warning.line, warning.column) == (2, 8)
    assert warning.message == "the slot's name begins with 'B-', so its words are tagged B-B-city and I-B-city"
    assert warning.advice == "Write ]<city>: a capture adds B- and I- by itself."
