"""Word lists of a project: what comes in the texts, uploads, edits, and lists in versions and archives."""

from __future__ import annotations

import pytest
from support.rules.word_lists import with_entries

from re2nn_core.errors import InputError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.word_lists.definition import as_shown
from re2nn_core.services.projects.archives import export_project, pack, read_archive, unpack
from re2nn_core.services.rule_writing.word_lists import (
    ListName,
    Presence,
    StoredList,
    count_entries,
    edited_entries,
    presence,
    stored_lists,
    uploaded,
    with_list,
)
from re2nn_core.store import Store, create_project, latest_version
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

CITIES = ListName("cities.txt")
RULES = '@city@ = file("cities.txt")\n[x]\n$* @city@ $*\n'


def test_entries_are_counted_in_the_texts_as_the_project_cuts_them() -> None:
    texts = ("to St. Louis, now", "Oslo and oslo", "nothing", "St. Louis")
    entries = ("Oslo", "St. Louis", "Rome", "to")
    assert presence(entries, texts, Tokenization("punctuation")) == Presence(3, 3)
    assert presence(entries, texts, Tokenization("whitespace", lowercase=False)) == Presence(3, 3)


def test_a_list_is_put_in_replaced_and_edited() -> None:
    assert stored_lists(RULES) == (StoredList(CITIES, ()),)
    once = with_list(RULES, CITIES, ("oslo", "new york"))
    again = with_list(once, CITIES, edited_entries("oslo\n\nrome\n", CITIES))
    assert as_shown(again) == RULES
    assert stored_lists(again) == (StoredList(CITIES, ("oslo", "rome")),)
    assert read_rules(again).ruleset.words == {"oslo", "rome"}


def test_a_new_list_is_defined_above_all_rules_under_a_name_that_is_free() -> None:
    name = ListName("my cities.csv", "city")
    text = with_list("@city@ =( a )\n[x]\n$* @city@ $*\n", name, ("oslo",))
    assert as_shown(text).splitlines()[0] == '@city_2@ = file("my cities.csv", column="city")'
    assert read_rules(text).ruleset.words == {"a"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "The list 'cities.txt' cannot be used: it has no entry. Correct it and try again."),
        (b"x" * 300 + b"\na\n" + b"y" * 400, "line 1: the entry has 300 characters, 200 at most are allowed; line 3:"),
    ],
)
def test_a_bad_upload_says_everything_that_is_wrong(content: bytes, expected: str) -> None:
    with pytest.raises(InputError) as raised:
        uploaded(content, CITIES)
    assert expected in str(raised.value)


def test_versions_and_archives_have_the_lists(store: Store) -> None:
    rules = with_entries(RULES, "oslo", "new york")
    project = create_project(
        store,
        name="Lists",
        examples=Corpus((Example("to oslo", "x"),)),
        rules_text=rules,
        logic_text="",
        author="tester",
    )
    assert latest_version(store, project.id).rules_text == rules
    archive = export_project(store, project.id)
    assert read_archive(archive).rules_text == rules
    files = {**unpack(archive), "rules.txt": RULES.encode(), "cities.txt": b"oslo\nnew york\n"}
    assert read_archive(pack(files)).rules_text == rules, "an archive made by hand has its lists as files"
    files.pop("cities.txt")
    with pytest.raises(Exception, match="the archive has no file 'cities.txt' in the folder of project.toml"):
        read_rules(read_archive(pack(files)).rules_text)


def test_entries_that_differ_in_case_alone_are_one_where_case_is_ignored() -> None:
    entries = ("Paris", "paris", "Oslo")
    assert count_entries(entries, lowercase=True) == 2
    assert count_entries(entries, lowercase=False) == 3


@pytest.mark.parametrize(
    ("text", "encoding", "said"),
    [
        ("Paris\nZürich\nMünchen\n", "latin-1", "it looks like cp1252 (Latin-1)"),
        ("oslo\nsão paulo\n", "latin-1", "it looks like cp1252 (Latin-1)"),
        ("北京\n上海\n广州\n", "gb18030", "it looks like gb18030"),
        ("Москва\nНовосибирск\n", "cp1251", "it looks like cp1251"),
    ],
)
def test_a_short_list_in_another_encoding_is_recognised(text: str, encoding: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        uploaded(text.encode(encoding), CITIES)
    assert said in str(raised.value)
