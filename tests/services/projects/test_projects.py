"""New projects: from samples, from tables, from archives; and archives that lie."""

from __future__ import annotations

import io
import zipfile

import pytest

from re2nn_core.errors import DataFileError, InputError, NotFoundError
from re2nn_core.rules.read import read_rules
from re2nn_core.services.projects.archives import export_project, pack, read_archive, unpack
from re2nn_core.services.projects.project_files import render_project_files
from re2nn_core.services.projects.projects import (
    corpus_of,
    create_from_corpus,
    free_project_name,
    import_archive,
    list_samples,
    open_sample,
    read_upload,
)
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules
from re2nn_core.services.rule_writing.suggested_rules import suggested_in
from re2nn_core.store import Store, TextRecord, latest_version, texts_of
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

SETTINGS = b'title = "Tiny"\ntokenizer = "punctuation"\ntexts = "texts.tsv"\n'
FILES = {"project.toml": SETTINGS, "rules.txt": b"[a]\n$* b $*\n", "texts.tsv": b"text\tlabel\na b\ta\n"}


def test_samples_have_titles_and_open_twice(store: Store) -> None:
    titles = [card.title for card in list_samples()]
    assert "Flight intents" in titles
    first = open_sample(store, "flight_intents", "ann")
    second = open_sample(store, "flight_intents", "ann")
    assert (first.name, second.name) == ("Flight intents", "Flight intents 2")
    assert first.sample == "flight_intents"
    assert len(texts_of(store, first.id)) > 100


def test_a_sample_that_is_not_there_names_those_that_are(store: Store) -> None:
    with pytest.raises(NotFoundError, match=r"no sample project '\.\./secrets'.*flight_intents"):
        open_sample(store, "../secrets", "ann")


def test_a_project_survives_export_and_import(store: Store) -> None:
    first = open_sample(store, "message_spam", "ann")
    second = import_archive(store, export_project(store, first.id), "bob")
    assert second.tokenization == first.tokenization
    assert second.sample is None
    for old, new in zip(texts_of(store, first.id), texts_of(store, second.id), strict=True):
        assert (old.text, old.label, old.split) == (new.text, new.label, new.split)
    before, after = latest_version(store, first.id), latest_version(store, second.id)
    assert (before.rules_text, before.logic_text) == (after.rules_text, after.logic_text)


@pytest.mark.parametrize("name", ['quote " and \\ backslash', "tab\tand\nline", "汉字 ✓", "\x7f"])
def test_texts_and_names_of_any_kind_survive(store: Store, name: str) -> None:
    corpus = Corpus((Example(f"line one\nline\ttwo {name}", "a"), Example("=cmd()", None)))
    created = create_from_corpus(
        store,
        name="x",
        read=corpus_of(
            read_upload(b"text\nx\n", "x.csv").table, text_column="text", label_column=None, split_column=None
        ),
        tokenization=Tokenization(),
        person="ann",
        description=name,
    )
    assert created.description == name
    records = tuple(
        TextRecord(number, 1, number, example.text, None, None, example.label, None)
        for number, example in enumerate(corpus)
    )
    files = read_archive(pack(render_project_files(created, records, "[a]\nb\n", "")))
    assert files.description == name
    assert [(example.text, example.label) for example in files.corpus] == [
        (example.text, example.label) for example in corpus
    ]


def test_free_names_count_on(store: Store) -> None:
    assert free_project_name(store, "Mine") == "Mine"
    open_sample(store, "flight_intents", "ann")
    assert free_project_name(store, "flight INTENTS") == "flight INTENTS 2"


def test_uploads_guess_their_columns(store: Store) -> None:
    upload = read_upload(b"intent,utterance\nflight,book a flight\nbag,my bag is gone\nflight,fly\n", "mine.csv")
    assert (upload.guess.text, upload.guess.label) == ("utterance", "intent")
    read = corpus_of(upload.table, text_column="utterance", label_column="intent", split_column=None)
    project = create_from_corpus(store, name="Mine", read=read, tokenization=Tokenization(), person="ann")
    assert [record.label for record in texts_of(store, project.id)] == ["flight", "bag", "flight"]


def test_starter_rules_name_telling_words_and_can_be_read() -> None:
    texts = [("book a flight", "flight"), ("flight now", "flight"), ("my bag", "bag"), ("lost bag", "bag")]
    rules = starter_rules(Corpus(tuple(Example(*pair) for pair in texts)), Tokenization())
    read = read_rules(rules)
    assert read.ruleset.labels == ("flight", "bag")
    assert "$* flight $*" in rules
    assert not read.warnings


@pytest.mark.parametrize(
    "texts",
    [
        [("a", None)],
        [("a", "x"), ("b", "y")],
        [("?? ??", "x"), ("?? 1", "x")],
        [("$ ( a", "x [odd]"), ("$ ( a", "x [odd]")],
        [("BOS ( // a", "x"), ("BOS ( // a", "x")],
    ],
)
def test_starter_rules_can_always_be_read(texts: list[tuple[str, str | None]]) -> None:
    assert read_rules(starter_rules(Corpus(tuple(Example(*pair) for pair in texts)), Tokenization())).ruleset.rules


@pytest.mark.parametrize("suggest", [True, False])
def test_the_rule_to_write_over_has_a_label_of_the_texts(suggest: bool) -> None:
    corpus = Corpus((Example("a", "x"), Example("b", "y")))
    assert read_rules(starter_rules(corpus, Tokenization(), suggest=suggest)).ruleset.labels == ("x",)
    assert read_rules(starter_rules(Corpus((Example("a"),)), Tokenization())).ruleset.labels == ("my_label",)


@pytest.mark.parametrize("unlabelled", [0, 4])
def test_a_single_label_has_no_suggested_rule(unlabelled: int) -> None:
    texts = [*[Example(f"the red text {n}", "x") for n in range(8)], *[Example(f"a {n}") for n in range(unlabelled)]]
    assert "suggested from the texts" not in starter_rules(Corpus(tuple(texts)), Tokenization())
    two = [*texts, *[Example(f"the blue one {n}", "y") for n in range(8)]]
    assert "suggested from the texts" in starter_rules(Corpus(tuple(two)), Tokenization())


def test_starter_rules_do_not_look_at_test_texts() -> None:
    examples = [Example("blue flight", "a", "test"), Example("blue fly", "a", "test"), Example("red", "b", "train")]
    assert "blue" not in starter_rules(Corpus(tuple(examples)), Tokenization())


def test_starter_rules_leave_out_words_of_every_text() -> None:
    texts = [Example(f"the dog {number}", "common") for number in range(9)] + [Example("the cat", "rare")]
    rules = starter_rules(Corpus(tuple(texts)), Tokenization())
    assert "\ndog := $* dog $*\n" in rules
    assert "// [rare]" in rules


def test_starter_rules_rest_on_no_function_word() -> None:
    """ "is" stands beside one label only, by chance; two words that stand together may tell a label apart."""
    fares = ["what is the cost", "how much is it", "how much then", "so how much"]
    texts = [Example(text, "fare") for text in fares] + [Example("to oslo now", "trip"), Example("oslo again", "trip")]
    rules = starter_rules(Corpus(tuple(texts)), Tokenization())
    assert suggested_in(rules, Task.CLASSIFICATION) == ("fare", "trip")
    lines = ["much := $* much $*", "cost := $* cost $*", "oslo := $* oslo $*"]
    assert [line for line in rules.splitlines() if ":=" in line] == lines
    pairs = [Example(f"dial tone {word}", "a") for word in ("x", "y")] + [Example("tone up", "b"), Example("dial", "b")]
    assert "dial_tone := $* dial tone $*" in starter_rules(Corpus(tuple(pairs)), Tokenization())


def test_starter_rules_have_few_rules_of_a_label_and_those_of_a_former_version_are_known() -> None:
    texts = [Example(f"word{number} thing", "x") for number in range(40) for _ in range(2)]
    rules = starter_rules(Corpus((*texts, *(Example(f"thing {number}", "y") for number in range(99)))), Tokenization())
    assert sum(":= $* ( word" in line or ":= $* word" in line for line in rules.splitlines()) <= 2
    assert suggested_in("[a b]\n$* x $*     // suggested from the texts; make it your own\n", Task.CLASSIFICATION) == (
        "a b",
    )


def test_without_suggestions_no_text_meets_a_rule() -> None:
    texts = [("book a flight", "flight"), ("flight now", "flight"), ("another word", None)]
    rules = starter_rules(Corpus(tuple(Example(*pair) for pair in texts)), Tokenization(), suggest=False)
    system, _ = read_system(rules, "", Tokenization())
    assert suggested_in(rules, Task.CLASSIFICATION) == ()
    assert "[flight]\n$* ( yourword | anotherword ) $*" in rules
    assert system.predictions([text for text, _ in texts]) == [None] * 3


def archive(files: dict[str, bytes]) -> bytes:
    return pack(files)


def test_an_archive_may_hold_its_files_in_a_folder() -> None:
    files = read_archive(archive({f"tiny/{name}": data for name, data in FILES.items()}))
    assert (files.title, files.rules_text, len(files.corpus)) == ("Tiny", "[a]\n$* b $*\n", 1)


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/passwd", "a/../../evil", "C:evil.txt"])
def test_names_that_point_outside_are_refused(name: str) -> None:
    with pytest.raises(DataFileError, match="points outside of it"):
        unpack(archive({**FILES, name: b"x"}))


def test_an_archive_that_swells_is_refused() -> None:
    data = archive({**FILES, "texts.tsv": b"a" * 3_000_000})
    assert len(data) < 20_000
    with pytest.raises(DataFileError, match="Unpacked, the archive has more than 1 MiB"):
        unpack(data, most_bytes=2**20)


def test_too_many_files_are_refused() -> None:
    with pytest.raises(DataFileError, match="holds 203 files; a project has at most 50"):
        unpack(archive({**FILES, **{f"{number}.txt": b"" for number in range(200)}}))


@pytest.mark.parametrize("data", [b"", b"no zip at all", archive(FILES)[:-30], b"PK\x05\x06" + b"\0" * 10])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(DataFileError, match="The archive cannot be read"):
        unpack(data)


def test_a_damaged_member_is_refused() -> None:
    data = bytearray(archive({**FILES, "texts.tsv": bytes(range(256)) * 40}))
    data[data.index(b"texts.tsv") + 40] ^= 0xFF
    with pytest.raises(DataFileError, match="The archive cannot be read"):
        unpack(bytes(data))


def test_an_archive_without_a_project_is_refused() -> None:
    with pytest.raises(DataFileError, match=r"must hold one project\.toml \(it holds 0\)"):
        unpack(archive({"a.txt": b""}))


def test_missing_files_are_named() -> None:
    with pytest.raises(DataFileError, match=r"'rules\.txt' is missing.*project\.toml, texts\.tsv"):
        read_archive(archive({name: data for name, data in FILES.items() if name != "rules.txt"}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (b"title = ", "is not TOML"),
        (b"\xff", "is not UTF-8"),
        (b"title = 3", "title must be text in quotes"),
        (b'lowercase = "no"', "lowercase must be true or false"),
        (b'task = "cooking"', "the task must be one of classification"),
        (b'tokenizer = "magic"', "tokenizer kind must be one of"),
        (b'texts = "../../etc/passwd"', "is missing"),
    ],
)
def test_settings_that_cannot_be_used_are_named(settings: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_archive(archive({**FILES, "project.toml": settings}))


def test_a_member_with_a_password_is_refused() -> None:
    buffer = io.BytesIO(archive(FILES))
    with zipfile.ZipFile(buffer) as opened:
        places = [info.header_offset for info in opened.infolist()]
    data = bytearray(buffer.getvalue())
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    assert places
    with pytest.raises(DataFileError, match="locked with a password"):
        unpack(bytes(data))
