"""Rule files: sections, names, classes, notes, encodings, and the published files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.strategies import trees

from re2nn_core.errors import InputError, RuleError
from re2nn_core.rules.printer import print_expression, without_lines, write_rules
from re2nn_core.rules.read import NO_SLOT, read_rule_file, read_rules
from re2nn_core.rules.ruleset import Rule, WordClass, expand
from re2nn_core.rules.tree import Choice, Node, Word

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "benchmarks" / "rules"
needs_published = pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published rule files are not here")


def test_sections_names_and_notes() -> None:
    found = read_rules(
        """// a comment
[flight] // with a comment
  $* flight $*   // exemplar: http://x // y
cheap := $* cheap $*

[flight+airline]
a
[Ground service & co.]
b
[flight]
c
""",
        file="my.rules",
    )
    rules = [(rule.name, rule.label, rule.line, rule.note) for rule in found.ruleset.rules]
    assert rules == [
        ("flight.1", "flight", 3, "exemplar: http://x // y"),
        ("cheap", "flight", 4, ""),
        ("flight+airline.1", "flight+airline", 7, ""),
        ("Ground_service_co..1", "Ground service & co.", 9, ""),
        ("flight.3", "flight", 11, ""),
    ]
    assert found.warnings == ()


def test_automatic_names_make_way_for_given_ones() -> None:
    rules = read_rules("[a]\nx\na.1 := y\n[a b]\nz\n[a_b]\nz").ruleset.rules
    assert [rule.name for rule in rules] == ["a.1_", "a.1", "a_b.1", "a_b.1_"]


def test_classes_hold_for_the_rules_below_until_defined_again() -> None:
    ruleset = read_rules("@c@=(x|y)\n@d@ = @c@ z\n[a]\n@c@\n@d@\n@c@=(w)\n@c@\n@d@ (@c@|v)").ruleset
    assert [print_expression(rule.expanded) for rule in ruleset.rules] == [
        "x | y",
        "( x | y ) z",
        "w",
        "( x | y ) z ( w | v )",
    ]
    assert [print_expression(rule.tree) for rule in ruleset.rules] == ["@c@", "@d@", "@c@", "@d@ ( @c@ | v )"]
    kinds = [type(entry) for entry in ruleset.entries]
    assert kinds == [WordClass, WordClass, Rule, Rule, WordClass, Rule, Rule]
    assert ruleset.entries[0] == WordClass("c", Choice((Word("x"), Word("y"))), 1)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_expanded_is_what_expand_gives(tree: Node) -> None:
    classes = {"city": "( New York | boston )", "day_name": "Monday", "x.1": "( a | b )?", "月": "@city@ 月"}
    known: dict[str, Node] = {}
    for name, text in classes.items():
        known[name] = read_rules(f"@city@=( {classes['city']} )\n[a]\n{text}").ruleset.rules[0].tree
    header = "".join(f"@{name}@=( {text} )\n" for name, text in classes.items())
    for lowercase in (True, False):
        rule = read_rules(f"{header}[a]\n{print_expression(tree)}", lowercase=lowercase).ruleset.rules[0]
        assert rule.expanded == expand(tree, known, lowercase)


def test_lower_case() -> None:
    found = read_rules("[a]\nA BOS | Boston to Denver")
    rule = found.ruleset.rules[0]
    assert print_expression(rule.tree) == "A BOS | Boston to Denver"
    assert print_expression(rule.expanded) == "a BOS | boston to denver"
    (warning,) = found.warnings
    assert warning.message.startswith("'A' (and 2 more) is read in lower case")
    assert warning.advice == 'Write a; case"A" where the capitals count.'
    kept = read_rules("[a]\nA Boston", lowercase=False)
    assert kept.warnings == ()
    assert kept.ruleset.rules[0].expanded is kept.ruleset.rules[0].tree


def test_continued_lines() -> None:
    ruleset = read_rules("[a]\nx \\\n  y \\\n z // note \\\nw\\\\\nv\\").ruleset
    assert [(print_expression(rule.tree), rule.line) for rule in ruleset.rules] == [
        ("x y z", 2),
        ('"w\\\\"', 5),
        ("v", 6),
    ]
    assert ruleset.rules[0].note == "note \\"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(newline: str) -> None:
    ruleset = read_rules(newline.join(["\ufeff[a]", "x \\", "y", "", "z"])).ruleset
    assert [(print_expression(rule.tree), rule.line) for rule in ruleset.rules] == [("x y", 2), ("z", 5)]


def test_captures_are_no_sections_and_need_none() -> None:
    ruleset = read_rules("[ a ]<x>\n$* b<:>B-y\nc\n[d]\n[ e ]<x>\n").ruleset
    assert [(rule.name, rule.label) for rule in ruleset.rules] == [
        ("slots.1", "slots"),
        ("slots.2", "slots"),
        ("slots.3", "slots"),
        ("d.1", "d"),
    ]


@pytest.mark.parametrize(
    ("rule", "column", "width", "message", "advice"),
    [
        ("a (.* er | b )", 4, 2, "'.*' is read as the word '.' repeated", "write $* for any words"),
        ("foo.+", 1, 5, "'foo.+' is read as the word 'foo.' repeated", 'write "foo."+ if'),
        ("^flight a", 1, 7, "begins with the sign '^'", "Write BOS"),
        ("a flight$", 3, 7, "'flight$' is read as 2 words: '$' stands for any one word", "write EOS"),
        ("50% off", 1, 3, "'%' stands for a number", "write \\% for the sign itself"),
        ("at&t", 1, 4, "'at&t' is read as 3 words", "write \\& for the sign itself"),
        ("$5", 1, 2, "'$5' is read as 2 words", "Put blanks around $"),
        ("a//b", 1, 4, "the // in it starts no comment", "Put a blank before //"),
        ("a\u200bb c", 2, 1, "an invisible sign (U+200B)", "Remove it"),
        ("“what?”", 1, 1, "'“' is read as part of the word '“what', not as a quote", "straight quotes"),
        ("cafe\u0301", 1, 5, "is read as 'caf\u00e9' (Unicode NFC)", "the same word"),
        ("（a", 1, 1, "'（' is read as part of a word", "Write ( for the operator"),
        ("x ( a | b c | a | b c )", 15, 1, "the same alternative occurs twice", "Remove one"),
        ("a{0} b", 2, 3, "'{0}' repeats zero times", "Remove the part"),
        ("a EOS<:>O", 6, 4, "'<:>O' tags BOS or EOS, which read no word", "Leave the tag out"),
        ("  $ *  // all", 3, 3, "the rule accepts every sentence", "default label"),
        ("BOS $* ( $* ) EOS", 1, 17, "the rule accepts every sentence", "default label"),
        ("[ $* ]<x>", 1, 9, "the rule accepts every sentence", "the context of the slot: $* to [ $ ]<city> $*."),
        (
            "( oslo )<city> a",
            9,
            6,
            "'<city>' after ')' is read as a word",
            "square brackets around the words of the slot",
        ),
        ("oslo<city>", 1, 10, "'oslo<city>' is read as a word, and captures nothing", ": [ oslo ]<city>."),
        ("a $<city>", 4, 6, "'<city>' after '$' is read as a word", ": [ $ ]<city>."),
        ("[ BOS ]<x> a", 7, 4, "the capture contains no word, so it never makes a span", "and BOS before the ["),
        ("[ ( EOS | ( ) )* ]<x> a", 18, 4, "the capture contains no word", "or EOS behind the ]."),
        (
            "[ oslo ]<O>",
            8,
            4,
            "'O' is read as the name of a slot, so its words are tagged B-O and I-O",
            "write oslo<:>O.",
        ),
        ("[ oslo ]<B>", 8, 4, "'B' is read as the name of a slot", "a capture adds B- and I- by itself"),
        ("oslo<:>B", 5, 4, "'B' is read as the name of a slot, so its words are tagged B-B", "as in oslo<:>B-city."),
        ("boston<:>X-city", 7, 9, "'X-city' is read as the name of a slot, so its words are", "write <:>B-city or"),
        ("$* new<:>I-city $*", 7, 9, "no word tagged B-city can come before 'I-city'", "tag the word"),
        ("a<:>B-day b<:>i-city", 12, 9, "can come before 'I-city', so the span begins here", "Write <:>B-city,"),
        ("$* reimburs(e|ed|ing) $*", 4, 18, "read as the word 'reimburs' and a word", 're"reimburs(e|ed|ing)" for'),
        ("a book(s)? b", 3, 8, "'book(s)?' is read as the word 'book' and a word", 'Write re"book(s)?"'.lower()),
        ("( a<:>B-city | b ) c d<:>I-city", 23, 9, "can come before 'I-city'", "tag the word before it <:>B-city."),
        ("oslo<:>I- a", 5, 5, "'I-' is read as the name of a slot", "as in oslo<:>I-city."),
        ("city: $* oslo", 1, 5, "'city:' is read as words that the rule begins with", "Write city := for a name;"),
        ("city = $* oslo", 1, 6, "'city =' is read as words that the rule begins with", "Write city := for a name;"),
        ("city=( oslo )", 1, 5, "'city=' is read as words that the rule begins with", "Write city := for a name;"),
        ("a BOS b", 1, 7, "the rule can never match", "Put BOS first and EOS last"),
        ("( a EOS | BOS a EOS ) $", 1, 23, "the rule can never match", "Put BOS first and EOS last"),
        ("( BOS a ){2}", 1, 12, "the rule can never match", "Put BOS first"),
    ],
)
def test_warnings(rule: str, column: int, width: int, message: str, advice: str) -> None:
    found = read_rules(f"[label]\n{rule}\n")
    warning = found.warnings[0]
    assert (warning.line, warning.column, warning.width) == (2, column, width)
    assert message in warning.message
    assert advice in warning.advice
    assert warning.where == "rule 'label.1'"


@pytest.mark.parametrize(
    "rule",
    [
        "BOS $* a",
        "( BOS | a ) b EOS?",
        "( BOS a )* b",
        "a . * b",
        '"."*',
        "$*a$*",
        "$*(how(far|long)|distance)",
        '"book(s|ing)" re"book(s|ing)" x (s|ing)',
        "http://x",
        "( EOS b )? a",
        "1 % &",
        '"city:" oslo',
        "subject : a",
        "<unk> a | <unk>",
        "a=b x<y",
        "x := re: a",
        "[ a ]<o> b<:>O c<:>b",
        "new<:>B-city ( york<:>I-city )* b<:>I-city $*",
        "( a<:>B-city | b ) c<:>I-city",
        "( a<:>I-city b<:>B-city ){2}",
        "$<:>b-city york<:>i-city? BOS? old<:>I-city",
        "[ a ]<city> b<:>I-city",
        "a<:>B-x-large b<:>I-x-large",
    ],
)
def test_no_warning(rule: str) -> None:
    assert read_rules(f"[label]\n{rule}\n").warnings == ()


def test_slots_that_differ_in_case_alone() -> None:
    found = read_rules("[ a ]<city>\n[ b ]<City> [ c ]<CITY>\nd<:>B-City\n[ e ]<cities>\nx := [ f ]<day> g<:>Day\n")
    assert [(w.line, w.column, w.width, w.message) for w in found.warnings] == [
        (
            2,
            6,
            5,
            "the slots 'City' and 'city' (in line 1) differ in small and capital letters alone, and are two slots",
        ),
        (
            2,
            18,
            5,
            "the slots 'CITY' and 'city' (in line 1) differ in small and capital letters alone, and are two slots",
        ),
        (
            5,
            18,
            6,
            "the slots 'Day' and 'day' (in the same rule) differ in small and capital letters alone, and are two slots",
        ),
    ]
    assert found.warnings[0].advice == "Write one of the two everywhere."


def test_a_rule_without_a_capture_among_rules_for_slots() -> None:
    found = read_rules("[city]\nto := $* to oslo $*\n$* from [ rome ]<city> $*\n[a b]\n$*\n")
    assert [(w.line, w.column, w.width, w.where, w.message) for w in found.warnings] == [
        (2, 7, 13, "rule 'to'", NO_SLOT),
        (5, 1, 2, "rule 'a_b.1'", NO_SLOT),  # and nothing of a default label, which slots have not
    ]
    assert found.warnings[0].advice == (
        "Write [ ... ]<city> around the words of the slot: a heading, [city], captures nothing."
    )
    assert "Write [ ... ]<slot> around" in found.warnings[1].advice
    assert "or remove the rule" in read_rules("$* a $*\n[ b ]<x>").warnings[0].advice
    assert read_rules("[city]\n$* to oslo $*\n").warnings == ()


def test_a_bracket_without_a_slot_is_the_only_fault() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("to := $* to [ oslo ] $*\n")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.message) == (1, 20, "the capture does not name its slot")
    assert fault.advice.startswith("Write ]<slot>, as in [ oslo ]<city>. If [oslo] is a set of characters")
    with pytest.raises(RuleError, match="Write ]<city> without the blank between"):
        read_rules("to := $* to [ oslo ] <city> $*\n")
    with pytest.raises(RuleError, match="is above the first section"):
        read_rules('$* "[" \\[ $*')


@pytest.mark.parametrize("rule", ["$* to ( oslo )<city> $*", "$* to oslo<city> $*"])
def test_a_slot_behind_other_signs_than_square_brackets(rule: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_rules(rule)
    assert caught.value.faults[0].advice == (
        "Square brackets capture words for a slot: [ ... ]<city>. "
        "Write its label as [label] on a line above, for labels."
    )
    (warning,) = read_rules(f"[city]\n{rule}").warnings
    assert "is read as a word, and captures nothing" in warning.message


def test_a_class_is_defined_with_one_sign() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("@city@ := ( oslo )\n[a]\n$* @city@ $*")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.message) == (1, 8, "a class is defined with '='")
    assert "Write @city@=( boston | denver )" in fault.advice


def test_a_section_without_rules() -> None:
    found = read_rules("[a]\n[b]\nx\n[a]\n[c] // empty")
    assert [(warning.line, warning.message) for warning in found.warnings] == [
        (1, "label 'a' has no rule, so it is no label of this rule set"),
        (4, "label 'a' has no rule, so it is no label of this rule set"),
        (5, "label 'c' has no rule, so it is no label of this rule set"),
    ]
    assert "default label" in found.warnings[0].advice


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "good.rules"
    good.write_bytes(b"\xef\xbb\xbf[a]\r\n\xe6\x9c\xba\xe7\xa5\xa8\r\n")
    assert read_rule_file(good).ruleset.words == {"机票"}
    with pytest.raises(InputError, match=r"there is no such file. Give the path of a rule file"):
        read_rule_file(tmp_path / "none.rules")
    with pytest.raises(InputError, match="this is a folder"):
        read_rule_file(tmp_path)
    bad = tmp_path / "bad.rules"
    bad.write_text("[a]\n( x", encoding="utf-8")
    with pytest.raises(RuleError, match=r"bad\.rules:2:1: rule 'a.1': '\(' is never closed"):
        read_rule_file(bad)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "[a]\nflight".encode("utf-16"),
            "it looks like UTF-16. Open it in an editor and save it again as UTF-8",
        ),
        ("[a]\nflight".encode("utf-16-le"), "2?holds NUL bytes, so it is no UTF-8 text file"),
        (
            "[a]\ncafé à la crème, déjà vu, très bien, garçon".encode("cp1252"),
            "not UTF-8; it looks like cp125",
        ),
        (b"[a]\n\xff\xfe\xfa\x80\x81", r"is not UTF-8; .* \(First invalid byte: line 2\.\)"),
        (b"[a]\nx\n\x00", ":3: the file holds NUL bytes"),
    ],
)
def test_files_that_are_not_utf_8(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.rules"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_rule_file(path)


def test_a_thousand_rules_are_read_in_a_moment() -> None:
    parts = " ".join(f"( word{n} | Word{n + 7} | @city@ ) $ * & ?" for n in range(6))
    text = "@city@=( boston | new york )\n[a]\n" + f"{parts} // a note\n" * 1000
    read_rules(text)
    start = time.process_time()
    read_rules(text)
    # Measured 0.1 s; the bound leaves room for slow machines, and still tells quadratic time.
    assert time.process_time() - start < 1.5


OF_BOS = "'<:>O' tags BOS or EOS, which read no word"
TWICE = "the class '@airport_code@' is defined in line 27 already"


@needs_published
@pytest.mark.parametrize(
    ("name", "rules", "labels", "warnings"),
    [
        ("atis.rules.v0.config", 27, 26, ["the same alternative occurs twice"]),
        ("sms.rules.config", 35, 2, ["the rule accepts every sentence"]),
        ("trec.rules.old.config", 65, 6, ["the same alternative occurs twice"]),
        ("atis_bio.bio.rules.config", 50, 1, [OF_BOS, f"{TWICE}; the rules from here on use this one", OF_BOS]),
        ("atis_bio.bio.rules.config.parsed", 50, 1, [OF_BOS] * 3),
        ("snips_bio.bio.rules.v1.config", 25, 1, []),
    ],
)
def test_published_files(name: str, rules: int, labels: int, warnings: list[str]) -> None:
    found = read_rule_file(PUBLISHED / name)
    assert (len(found.ruleset.rules), len(found.ruleset.labels)) == (rules, labels)
    assert [warning.message for warning in found.warnings] == warnings
    again = read_rules(write_rules(found.ruleset)).ruleset
    assert without_lines(again) == without_lines(found.ruleset)


SIGNS = (
    *'$%&()|*+?{}[]<>@"\\:=/.^,2a ',
    *("\n", "\t", "<:>x", "]<x>", "{2}", "//", "@c@", "@c@=", ":=", "BOS", "B"),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SIGNS), max_size=25).map("".join))
def test_any_text_is_read_or_its_faults_have_places(text: str) -> None:
    text = f"@c@=( a b )\n[l]\n{text}"
    lines = text.split("\n")
    try:
        found = read_rules(text)
    except RuleError as error:
        places = error.faults
    else:
        places = found.warnings
        again = read_rules(write_rules(found.ruleset)).ruleset
        assert without_lines(again) == without_lines(found.ruleset)
    for fault in places:
        assert fault.source == lines[fault.line - 1]
        assert 1 <= fault.column <= max(1, len(fault.source))
        assert fault.column + fault.width <= max(1, len(fault.source)) + 1
        assert fault.message
        assert fault.advice
