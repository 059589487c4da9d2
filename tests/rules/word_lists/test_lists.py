"""Word lists in files: read, kept with the rules, printed, and everything that is wrong with them at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from re2nn_core.errors import RuleError
from re2nn_core.rules.printer import print_expression, without_lines, write_rules
from re2nn_core.rules.read import read_rule_file, read_rules
from re2nn_core.rules.ruleset import WordClass
from re2nn_core.rules.word_lists.content import MOST_ENTRIES, list_entries, read_rule_text, with_content
from re2nn_core.rules.word_lists.definition import (
    ListName,
    as_shown,
    digest_of,
    with_digests,
    with_lists,
    without_lists,
)
from re2nn_core.rules.word_lists.expansion import ways_of
from re2nn_core.text.tokenization import SPLITTING_KINDS, Tokenization, words

RULES = '@city@ = file("cities.txt") // of the timetable\n[flight]\n$* to @city@ $*\n'
CITIES = b"Oslo\nNew York\n\nNew Jersey\nOslo\nSt. Louis\nYork\n"


def rules(content: bytes = CITIES, text: str = RULES) -> str:
    return with_content(text, lambda _: content)


def kept_digest() -> str:
    return digest_of(("Oslo", "New York", "New Jersey", "St. Louis", "York"))


def faults_of(text: str) -> list[str]:
    with pytest.raises(RuleError) as raised:
        read_rules(text)
    return [f"{fault.line}: {fault.message}" for fault in raised.value.faults]


def test_entries_are_alternatives_with_what_they_begin_with_in_common() -> None:
    rule = read_rules(rules()).ruleset.rules[0]
    assert print_expression(rule.tree) == "$* to @city@ $*"
    expected = "$* to ( new ( jersey | york ) | oslo | york | st . louis | st. louis ) $*"
    assert print_expression(rule.expanded) == expected


def test_rules_with_lists_are_whole_and_people_see_them_without() -> None:
    whole = rules()
    assert whole != RULES
    assert as_shown(whole) == RULES
    shown, kept = without_lists(whole)
    assert with_lists(shown, kept) == whole
    shortened = with_digests(whole).splitlines()
    assert shortened[0].endswith(f"//= 5 entries, sha256 {kept_digest()}")
    assert shortened[1:] == RULES.splitlines()[1:]
    assert with_content(whole, lambda _: b"other") == whole, "what is kept is not read again"


def test_written_rules_have_their_lists() -> None:
    ruleset = read_rules(rules()).ruleset
    again = read_rules(write_rules(ruleset)).ruleset
    assert without_lines(again) == without_lines(ruleset)
    entry = again.entries[0]
    assert isinstance(entry, WordClass)
    assert (entry.note, print_expression(entry.tree)) == ("of the timetable", 'file("cities.txt")')
    assert as_shown(write_rules(ruleset)).splitlines()[0] == '@city@ = file("cities.txt") // of the timetable'


def test_lists_of_other_entries_are_other_lists() -> None:
    first, second = (read_rules(rules(content)).ruleset.entries[0].tree for content in (CITIES, CITIES + b"Rome\n"))
    assert first != second


def test_a_column_of_a_table_is_a_list() -> None:
    for sign in (",", ";"):
        table = f'id{sign}name\n1{sign}"Oslo"\n2{sign}New York\n3\n'.encode()
        assert list_entries(table, ListName("c.csv", "name")) == (("Oslo", "New York"), [])


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"", ListName("c.txt"), ["it has no entry"]),
        (b"a\n" + b"x" * 10_000_000 + b"\nb c\n" + b"w " * 21, ListName("c.txt"), [
            "line 2: the entry has 10,000,000 characters, 200 at most are allowed",
            "line 4: the entry has 21 words, 20 at most are allowed",
        ]),
        ("münchen\n".encode("latin-1") * 9, ListName("c.txt"), None),
        (b"a\x00b\n", ListName("c.txt"), None),
        (b"id,town\n1,oslo\n", ListName("c.csv", "name"), [
            'it has no column "name"; columns: "id", "town". Write file("c.csv", column="id").'
        ]),
        (b"id,town\n", ListName("c.csv"), [
            'it is a table, so that its column must be named; columns: "id", "town". Write file("c.csv", column="id").'
        ]),
        ("\n".join(f"w{number}" for number in range(MOST_ENTRIES + 1)).encode(), ListName("c.txt"), [
            "it has 100,001 entries, 100,000 at most are allowed"
        ]),
    ],
    ids=["empty", "long lines", "another encoding", "NUL", "no such column", "no column named", "too many"],
)  # fmt: skip
def test_everything_wrong_with_a_list_is_reported(content: bytes, name: ListName, expected: list[str] | None) -> None:
    entries, faults = list_entries(content, name)
    assert not entries
    if expected is None:
        assert "UTF-8" in faults[0] and "line" in faults[0].lower() or "1:" in faults[0]
    else:
        assert faults == expected


def test_faults_of_several_lists_and_rules_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("a\n" + "x" * 300 + "\n")
    lines = ['@a@ = file("none.txt")', '@b@ = file("long.txt")', '@c@ = file("/etc/hosts")', '@d@ = file("../c.txt")']
    lines += ['@e@ = file("a.txt", row="b")', "[x]", "$* ( a $*", "$* @a@ @b@ $*"]
    (tmp_path / "rules.txt").write_text("\n".join(lines))
    found = faults_of(read_rule_text(tmp_path / "rules.txt"))
    assert [fault.partition(":")[0] for fault in found] == ["1", "2", "3", "4", "5", "7"]
    assert "there is no file" in found[0]
    assert "'long.txt': line 2: the entry has 300 characters" in found[1]
    assert "absolute path" in found[2]
    assert "leads out of the folder" in found[3]
    assert "not written as file(...)" in found[4]


def test_rules_without_their_list_and_damaged_ones_are_refused() -> None:
    assert faults_of(RULES) == ["1: the list 'cities.txt': its entries are not here"]
    damaged = rules().replace("sha256 ", "sha256 0", 1)
    assert "is damaged" in faults_of(damaged)[0]
    turned = rules().replace(kept_digest(), "0" * 16)
    assert "is damaged" in faults_of(turned)[0]


def test_a_list_among_other_words_is_a_warning() -> None:
    read = read_rules('[x]\n$* ( rome | file("cities.txt") ) $*\n')
    assert [warning.message for warning in read.warnings] == ["file(...) is read as words here, not as a list"]


def test_phrases_cannot_be_left_out_one_word_at_a_time() -> None:
    assert "holds new ( jersey | york )" in faults_of(rules(text='@city@ = file("c.txt")\n[x]\n[^ @city@ ]\n'))[0]
    assert read_rules(rules(b"oslo\nrome", '@city@ = file("c.txt")\n[x]\n[^ @city@ ]\n')).ruleset.words == {
        "oslo",
        "rome",
    }


@pytest.mark.parametrize(
    "entry", ["new york", "Gate12 b7", "747", "a 1 b2", "mp3", "5kg", "2nd", "don't", "c4d", "st1 x"]
)
@pytest.mark.parametrize("lowercase", [True, False])
def test_an_entry_is_read_as_each_tokenizer_cuts_it(entry: str, lowercase: bool) -> None:
    by_tokenizers = {words(entry, Tokenization(kind, lowercase)) for kind in SPLITTING_KINDS}
    assert set(ways_of(entry, lowercase=lowercase)) == by_tokenizers


def test_a_hundred_thousand_entries_are_read_soon(tmp_path: Path) -> None:
    entries = [f"town{number}" if number % 3 else f"new{number % 50} town{number}" for number in range(100_000)]
    (tmp_path / "cities.txt").write_text("\n".join(entries))
    (tmp_path / "rules.txt").write_text(RULES)
    began = time.process_time()
    rule = read_rule_file(tmp_path / "rules.txt").ruleset.rules[0]
    assert time.process_time() - began < 6, "a second alone; far more where something is quadratic"
    assert len(print_expression(rule.expanded)) > 100_000


def test_a_class_of_a_large_list_and_more_is_used_several_times() -> None:
    entries = "\n".join(f"town{number}" for number in range(60_000)).encode()
    text = '@city@ = file("c.txt")\n@place@=( @city@ | airport )\n[x]\n$* @place@ to @place@ from @place@\n'
    assert len(read_rules(rules(entries, text)).ruleset.words) == 60_003
