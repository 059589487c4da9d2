"""`re2nn import` and `re2nn export`: projects from files, files from projects, and what is said of wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import Call

from re2nn_core.commands.data.export import FORMATS
from re2nn_core.exchange.formats import ARCHIVE, FILE_FORMATS
from re2nn_core.store import list_projects, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

TABLE = "text,label,split\nbook a  flight,flight,train\n=how much,fare,test\n北京 😀,,\n"
SLOT_LINES = (
    '{"text": "fly to oslo,", "spans": [[7, 11, "city"]], "split": "train"}\n'
    '{"text": "hello", "spans": []}\n{"text": "to rome", "spans": null, "split": "test"}\n'
)


def predictions(home: Path, name: str) -> list[tuple[str, str | None, str | None]]:
    store = open_store(home / DATABASE_NAME)
    try:
        [project] = [summary.project for summary in list_projects(store) if summary.project.name == name]
        return [(record.text, record.label, record.split) for record in texts_of(store, project.id)]
    finally:
        store.close()


def names(home: Path) -> list[str]:
    store = open_store(home / DATABASE_NAME)
    try:
        return sorted(summary.project.name for summary in list_projects(store))
    finally:
        store.close()


def test_formats_of_the_option_are_those_there_are() -> None:
    assert (*(format.name for format in FILE_FORMATS), ARCHIVE) == FORMATS


@pytest.mark.parametrize(
    "format", ["csv", "tsv", "jsonl", "parquet", "label-studio", "prodigy", "doccano", "huggingface"]
)
def test_a_project_of_labels_comes_back_from_every_format(re2nn: Call, tmp_path: Path, format: str) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(TABLE, encoding="utf-8")
    done = re2nn("import", str(source), "--project", "Flights", "--home", home, "--json")
    assert (done.code, done.data["texts"], done.data["task"]) == (0, 3, "classification")
    target = tmp_path / "out"
    done = re2nn("export", str(target), "--project", "flights", "--format", format, "--home", home, "--json")
    assert (done.code, done.data["texts"]) == (0, 3)
    done = re2nn("import", str(target), "--project", "Again", "--home", home, "--json")
    assert done.code == 0, done.err + done.out
    assert predictions(tmp_path / "home", "Again") == predictions(tmp_path / "home", "Flights")
    assert predictions(tmp_path / "home", "Again")[0] == ("book a  flight", "flight", "train")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "label-studio", "prodigy", "doccano", "huggingface"])
def test_a_project_of_slots_comes_back_from_every_format(re2nn: Call, tmp_path: Path, format: str) -> None:
    source, home = tmp_path / "texts.jsonl", str(tmp_path / "home")
    source.write_text(SLOT_LINES, encoding="utf-8")
    done = re2nn("import", str(source), "--project", "Cities", "--home", home, "--json")
    assert (done.data["texts"], done.data["task"], done.data["tokenizer"]) == (3, "slots", "punctuation")
    target = tmp_path / "out"
    re2nn("export", str(target), "--project", "Cities", "--format", format, "--home", home)
    done = re2nn("import", str(target), "--project", "Again", "--home", home, "--json")
    assert done.code == 0, done.err + done.out
    assert predictions(tmp_path / "home", "Again") == predictions(tmp_path / "home", "Cities")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "label-studio", "prodigy", "doccano", "huggingface"])
def test_names_of_slots_have_their_blanks_again(re2nn: Call, tmp_path: Path, format: str) -> None:
    source, home = tmp_path / "texts.jsonl", str(tmp_path / "home")
    source.write_text('{"text": "fly to oslo", "spans": [[7, 11, "Place Name"]]}\n', encoding="utf-8")
    done = re2nn("import", str(source), "--project", "Flights", "--home", home)
    assert "'Place Name' is read as 'Place_Name'. Exports have the old names with --slot-blanks." in done.out + done.err
    target, given = tmp_path / "out", ("--project", "Flights", "--format", format, "--home", home)
    assert re2nn("export", str(target), *given, "--slot-blanks").code == 0
    held = b"".join(path.read_bytes() for path in [target, *target.rglob("*")] if path.is_file())
    assert b"Place Name" in held
    assert b"Place_Name" not in held
    assert re2nn("import", str(target), "--project", "Again", "--home", home).code == 0
    assert predictions(tmp_path / "home", "Again") == predictions(tmp_path / "home", "Flights")


def test_lists_of_labels_are_reported(re2nn: Call, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "text,labels\n" + "to oslo now,\"['a', 'b']\"\nso far,\"['a']\"\n" * 9, encoding="utf-8"
    )
    done = re2nn("import", str(tmp_path / "a.csv"), "--project", "Lists", "--home", str(tmp_path / "home"))
    assert "a.csv: 'labels' holds lists or objects, and a text has one label" in done.out


def test_what_holds_no_blanks_in_names_says_so(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.jsonl", str(tmp_path / "home")
    for name, line, format, said in (
        (
            "Slots",
            '{"text": "to oslo", "spans": [[3, 7, "a_b"]]}',
            "conll",
            "CoNLL (BIO) for slots holds no names of slots with blanks.",
        ),
        ("Labels", '{"text": "to oslo", "label": "a_b"}', "csv", "for labels of whole texts holds no names of slots"),
    ):
        source.write_text(f"{line}\n", encoding="utf-8")
        re2nn("import", str(source), "--project", name, "--home", home)
        target = tmp_path / f"out.{format}"
        done = re2nn("export", str(target), "--project", name, "--home", home, "--slot-blanks")
        assert (done.code, target.exists()) == (2, False)
        assert said in done.err


def test_rows_left_out_are_told_and_texts_can_be_added(re2nn: Call, tmp_path: Path) -> None:
    source, more, home = tmp_path / "texts.csv", tmp_path / "more.txt", str(tmp_path / "home")
    source.write_text("text,label\na,b,c\ngood,x\n")
    more.write_text("one\ntwo\n")
    done = re2nn("import", str(source), "--project", "P", "--home", home)
    assert "P: 1 text added (classification); 1 row left out." in done.out
    assert "line 2: has 3 fields, expected 2" in done.err
    done = re2nn("import", str(more), "--project", "P", "--home", home)
    assert done.code == 2
    assert "There is already a project named 'P'. Choose another name, for example 'P 2', or add the texts" in done.err
    assert re2nn("import", str(more), "--project", "P", "--add", "--split", "dev", "--home", home).code == 0
    assert predictions(tmp_path / "home", "P")[1:] == [("one", None, "dev"), ("two", None, "dev")]
    done = re2nn("import", str(more), "--project", "Q", "--add", "--home", home)
    assert "There is no project named 'Q'. There are: 'P'." in done.err
    done = re2nn("import", str(more), "--project", "P", "--add", "--task", "slots", "--home", home)
    assert "The project is one for classification, not slots. Leave --task out." in done.err


def test_texts_that_come_twice_are_told_for_a_new_project_too(re2nn: Call, tmp_path: Path) -> None:
    source, more, home = tmp_path / "texts.csv", tmp_path / "more.csv", str(tmp_path / "home")
    source.write_text("text,label\nhello there,good\nlater,good\nhello there,bad\nlater,good\n")
    more.write_text("text,label\nnew one,good\nnew one,bad\n")
    done = re2nn("import", str(source), "--project", "P", "--home", home)
    assert "P: 4 texts added" in done.out
    assert (
        "2 texts came more than once, 1 of them with different labels (the first is 'hello there'). Look at them: "
        "nothing was left out for it."
    ) in done.out
    done = re2nn("import", str(more), "--project", "P", "--add", "--home", home)
    assert "1 text came more than once, with different labels." in done.out
    done = re2nn("import", str(source), "--project", "Q", "--home", home, "--json")
    assert done.data["repeated"] == {"texts": 2, "other_answer": 1, "leaked": 0}
    assert done.data["notes"] == []


def test_a_bad_file_leaves_no_project(re2nn: Call, tmp_path: Path) -> None:
    """Also where texts before it were stored already."""
    good, bad, home = tmp_path / "good.txt", tmp_path / "bad.csv", str(tmp_path / "home")
    good.write_text("one\ntwo\nthree\n")
    bad.write_text("text,label\n")
    done = re2nn("import", str(good), str(bad), "--project", "P", "--home", home, "--json")
    assert (done.code, "'bad.csv' holds only a header" in done.data["error"]) == (2, True)
    assert names(tmp_path / "home") == []
    assert re2nn("import", str(good), str(good), "--project", "P", "--home", home).code == 0
    assert [text for text, _, _ in predictions(tmp_path / "home", "P")] == ["one", "two", "three"] * 2
    done = re2nn("import", str(good), str(bad), "--project", "P", "--add", "--home", home)
    assert (done.code, len(predictions(tmp_path / "home", "P"))) == (2, 6)


def test_an_export_is_there_whole_or_not_at_all(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.jsonl", str(tmp_path / "home")
    source.write_text(json.dumps({"text": "two\tcells"}))
    re2nn("import", str(source), "--project", "P", "--home", home)
    done = re2nn("export", str(tmp_path / "out.tsv"), "--project", "P", "--home", home)
    assert (done.code, "holds a tab or a line break, which TSV cannot hold" in done.err) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "texts.jsonl"]
    done = re2nn("export", str(tmp_path / "out.conll"), "--project", "P", "--home", home)
    assert "CoNLL (BIO) cannot hold labels of whole texts." in done.err
    done = re2nn("export", str(tmp_path / "out.odd"), "--project", "P", "--home", home)
    assert "'out.odd': the ending does not say the format. Name one with --format: csv, tsv" in done.err
    assert "huggingface, archive." in done.err
    done = re2nn("export", str(tmp_path / "out.csv"), "--project", "P", "--split", "dev", "--home", home)
    assert "'P' has no texts of the split dev, so there is nothing to export." in done.err
    done = re2nn("export", str(tmp_path / "out.zip"), "--project", "P", "--home", home)
    assert (done.code, (tmp_path / "out.zip").read_bytes()[:2]) == (0, b"PK")
    (tmp_path / "set").mkdir()
    done = re2nn("export", str(tmp_path / "set"), "--project", "P", "--format", "huggingface", "--home", home)
    assert "is there already. Give the name of a new folder for the data set." in done.err


def test_missing_files_are_named(re2nn: Call, tmp_path: Path) -> None:
    done = re2nn("import", str(tmp_path / "no.csv"), "--project", "P", "--home", str(tmp_path / "home"))
    assert "there is no such file. Give a file of texts: CSV, TSV, JSON lines, Plain lines, Parquet, CoNLL" in done.err
    assert "doccano, Hugging Face datasets (a folder), or the archive of a project" in done.err


def test_an_archive_comes_back_as_a_project(re2nn: Call, tmp_path: Path) -> None:
    source, home, file = tmp_path / "texts.csv", str(tmp_path / "home"), str(tmp_path / "kept")
    source.write_text(TABLE, encoding="utf-8")
    re2nn("import", str(source), "--project", "P", "--home", home)
    done = re2nn("export", "--format", "archive", file, "--project", "P", "--home", home)
    assert (done.code, "P with 3 texts as an archive, without trained runs." in done.out) == (0, True)
    done = re2nn("import", file, "--project", "Q", "--home", home, "--json")
    assert (done.code, done.data["texts"], done.data["archive"]) == (0, 3, True)
    assert predictions(tmp_path / "home", "Q") == predictions(tmp_path / "home", "P")
    done = re2nn("import", file, "--project", "Q", "--home", home)
    assert "There is already a project named 'Q'. Choose another name, for example 'Q 2'" in done.err
    done = re2nn("import", file, "--project", "P", "--add", "--home", home)
    assert (done.code, "cannot be added to another one. Leave --add out" in done.err) == (2, True)
    done = re2nn("import", file, str(source), "--project", "R", "--home", home)
    assert "is the archive of a whole project. Import it alone." in done.err
    done = re2nn("import", file, "--project", "R", "--task", "slots", "--home", home)
    assert "which contains this setting. Leave --task out." in done.err
    assert names(tmp_path / "home") == ["P", "Q"]
    done = re2nn("check", file)
    assert done.code == 2


def test_texts_that_are_there_are_left_out_and_told(re2nn: Call, tmp_path: Path) -> None:
    source, other, home = tmp_path / "texts.csv", tmp_path / "other.csv", str(tmp_path / "home")
    source.write_text(TABLE, encoding="utf-8")
    other.write_text("text,label\nbook a  flight,fare\n=how much,\nnew one,fare\n", encoding="utf-8")
    re2nn("import", str(source), "--project", "P", "--home", home)
    done = re2nn("import", str(source), "--project", "P", "--add", "--home", home)
    assert "P: 0 texts added (classification)." in done.out
    assert (
        "3 of 3 texts are already in the project with the same annotation, or have none: left out (--again" in done.out
    )
    done = re2nn("import", str(other), "--project", "P", "--add", "--home", home)
    assert "P: 2 texts added" in done.out
    assert "1 of 3 texts are already in the project" in done.out
    assert "1 text of the project came with a different annotation: added as a separate text." in done.out
    assert predictions(tmp_path / "home", "P")[3:] == [("book a  flight", "fare", None), ("new one", "fare", None)]
    done = re2nn("import", str(source), "--project", "P", "--add", "--again", "--home", home, "--json")
    assert (done.data["texts"], done.data["already_there"], done.data["other_answer"]) == (3, 3, 0)
    assert len(predictions(tmp_path / "home", "P")) == 8
    done = re2nn("import", str(source), "--project", "N", "--again", "--home", home)
    assert "--again is for texts that are added to a project." in done.err


def test_starter_rules_are_told_and_can_be_left_out(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text("text,label\nbook flight,flight\nmy flight,flight\nlost bag,bag\na bag,bag\n")
    done = re2nn("import", str(source), "--project", "P", "--home", home)
    assert "Starter rules were made from the texts, as rules v1, for the labels: flight, bag. --no-rules" in done.out
    assert "2 starter" not in done.out, "these are labels, and a label may have several rules"
    done = re2nn("import", str(source), "--project", "Q", "--no-rules", "--home", home)
    assert (done.code, "starter" in done.out) == (0, False)
    done = re2nn("import", str(source), "--project", "P", "--add", "--no-rules", "--home", home)
    assert "--no-rules is for a new project; --add changes no rules." in done.err


def test_the_tokenizer_that_keeps_more_texts_is_chosen_and_told(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.jsonl", str(tmp_path / "home")
    source.write_text(
        '{"text": "a Kiel-based firm", "spans": [[2, 6, "city"]]}\n{"text": "(Kiel)", "spans": [[1, 5, "city"]]}\n'
    )
    done = re2nn("import", str(source), "--project", "P", "--home", home, "--json")
    reported = (
        "texts.jsonl: The tokenizer 'word-parts' was chosen: 'punctuation' would leave out 1 text more, whose spans "
        "begin or end inside its words."
    )
    assert reported in done.err
    assert (done.data["texts"], done.data["tokenizer"], done.data["notes"][0]) == (2, "word-parts", reported)
    done = re2nn("import", str(source), "--project", "Q", "--tokenizer", "punctuation", "--home", home)
    assert "with --tokenizer word-parts it can be read.\n" in done.err
    assert "1 row left out" in done.out
    done = re2nn("export", "--project", "P", "--home", home, str(tmp_path / "out.conll"))
    assert (tmp_path / "out.conll").read_text() == (
        "a\tO\nKiel\tB-city\n-\tO\nbased\tO\nfirm\tO\n\n(\tO\nKiel\tB-city\n)\tO\n"
    )


def test_slots_for_a_project_of_labels_are_refused_before_any_row(re2nn: Call, tmp_path: Path) -> None:
    labels, slots, home = tmp_path / "texts.csv", tmp_path / "slots.jsonl", str(tmp_path / "home")
    labels.write_text(TABLE, encoding="utf-8")
    slots.write_text(SLOT_LINES, encoding="utf-8")
    re2nn("import", str(labels), "--project", "G", "--home", home)
    done = re2nn("import", str(slots), "--project", "G", "--add", "--home", home)
    reported = "'G' is a project of labels; 'slots.jsonl' holds slots. Nothing was added. Make a project of its own"
    assert (done.code, reported in done.err, "line" in done.err) == (2, True, False)
    assert len(predictions(tmp_path / "home", "G")) == 3


def test_what_a_format_cannot_hold_is_told_where_it_is_so(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(TABLE, encoding="utf-8")
    re2nn("import", str(source), "--project", "P", "--home", home)
    done = re2nn("export", str(tmp_path / "out.tsv"), "--project", "P", "--home", home)
    assert done.out.startswith(f"{tmp_path / 'out.tsv'}: 3 texts of P as TSV. Cells that look like formulas (= + - @)")
    done = re2nn("export", str(tmp_path / "out.txt"), "--project", "P", "--home", home)
    assert done.out.endswith("as Plain lines. It holds no labels, spans or splits.\n")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_apostrophes_before_formulas_are_reported(re2nn: Call, tmp_path: Path, ending: str) -> None:
    """Other programs see them, and nothing said so."""
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"text": "=1+2 is it", "label": "a"}))
    home = ("--home", tmp_path / "home")
    re2nn("import", path, "--project", "P", *home)
    out = re2nn("export", tmp_path / f"out.{ending}", "--project", "P", *home).out
    written = "'=1+2 is it" in (tmp_path / f"out.{ending}").read_text()
    assert ("get an apostrophe in front, which an import takes off again" in out) == written == (ending != "jsonl")


def test_wrong_formats_encodings_and_databases_are_told_by_their_options(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "rand.bin", str(tmp_path / "home")
    source.write_bytes(bytes(range(128, 256)) * 3 + b"\nplain\n")
    done = re2nn("import", str(source), "--project", "P", "--home", home)
    assert (done.code, "or --encoding utf-8 to leave out the lines" in done.err) == (2, True)
    done = re2nn("import", str(source), "--project", "P", "--format", "xml", "--home", home)
    every = ", ".join(format.name for format in FILE_FORMATS)
    assert f"'xml' is not a format this reads. Choose one of {every}." in done.err
    shown = " ".join(re2nn("import", "--help").out.split())
    assert f"{every} (conll for slots only)" in shown
    done = re2nn("import", str(source), "--project", "P", "--home", home, "--database", "x.db")
    assert "--home and --database both name the database. Use only one of them." in done.err
    (tmp_path / "n.jsonl").write_text('{"text": 5}\n{"text": "5"}\n')
    done = re2nn("import", str(tmp_path / "n.jsonl"), "--project", "P", "--database", f"{home}/{DATABASE_NAME}")
    assert "line 1: the text (column 'text') is 5 without quotes, no text" in done.err
    assert predictions(tmp_path / "home", "P") == [("5", None, None)]
    assert re2nn("verify", "--home", home).code == 0


def test_without_a_name_the_log_says_who_it_was(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(TABLE, encoding="utf-8")
    assert re2nn("import", str(source), "--project", "P", "--home", home).err == ""
    re2nn("users", "add", "Ann", "--role", "owner", "--database", f"{home}/{DATABASE_NAME}")
    done = re2nn("import", str(source), "--project", "Q", "--home", home)
    assert "The log will name 'command line' as the user. Use --person NAME to name the account." in done.err
    assert re2nn("import", str(source), "--project", "R", "--person", "Ann", "--home", home).err == ""


def rows_of(*kinds: str) -> str:
    return "".join(
        f"text number {n} about {kinds[n % len(kinds)]},{kinds[n % len(kinds)]},{'xy'[n % 2]}\n" for n in range(40)
    )


def test_the_columns_that_were_read_are_reported_with_their_evidence(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(f"text,category,channel\n{rows_of('late', 'lost')}", encoding="utf-8")
    done = re2nn("import", str(source), "--project", "Parcels", "--home", home)
    line = "texts.csv: text: text; label: category, 2 values, 40 of 40 filled; split: none; not read: channel."
    assert line in done.out.splitlines()
    done = re2nn("import", str(source), "--project", "Again", "--home", home, "--json")
    [reported] = done.data["columns"]
    assert (reported["text"], reported["label"], reported["split"], reported["not_read"]) == (
        "text",
        "category",
        None,
        ["channel"],
    )
    assert reported["evidence"][1] == {"name": "category", "filled": 40, "values": 2, "kind": "texts"}


def test_a_person_is_asked_for_the_column_of_labels_where_several_could_be_it(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(f"text,mood,reason\n{rows_of('late', 'lost', 'broken')}", encoding="utf-8")
    done = re2nn("import", str(source), "--project", "Parcels", "--home", home)
    asked = (
        "No column of labels was chosen, because these could hold them: 'reason' (2 values, 40 of 40 filled), "
        "'mood' (3 values, 40 of 40 filled). Import again with --label-column NAME."
    )
    assert asked in done.out.splitlines()
    assert {label for _, label, _ in predictions(tmp_path / "home", "Parcels")} == {None}
    re2nn("import", str(source), "--project", "Named", "--label-column", "reason", "--home", home)
    assert {label for _, label, _ in predictions(tmp_path / "home", "Named")} == {"x", "y"}


def test_the_split_column_can_be_named(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text("text,label,split,part\na b,x,train,test\nc d,y,train,dev\n", encoding="utf-8")
    re2nn("import", str(source), "--project", "P", "--split-column", "part", "--home", home)
    assert [split for _, _, split in predictions(tmp_path / "home", "P")] == ["test", "dev"]


def test_a_share_of_each_label_is_held_out(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text(f"text,label,channel\n{rows_of('late', 'lost')}", encoding="utf-8")
    done = re2nn("import", str(source), "--project", "P", "--hold-out", "20", "--home", home)
    assert "8 of 40 labelled texts put into test (20% of each label, at random with seed 0)." in done.out
    held = [label for _, label, split in predictions(tmp_path / "home", "P") if split == "test"]
    assert sorted(held) == ["late"] * 4 + ["lost"] * 4
    done = re2nn("import", str(source), "--project", "Q", "--hold-out", "20", "--split", "dev", "--home", home)
    assert done.code == 2
    assert "--hold-out draws the test texts of a new project. Leave it out with --split" in done.err


def test_spans_of_a_table_are_reported_as_what_is_read(re2nn: Call, tmp_path: Path) -> None:
    source, home = tmp_path / "texts.csv", str(tmp_path / "home")
    source.write_text('text,spans,agent\nto oslo,"[[3, 7, ""city""]]",ann\nhello,[],bob\n', encoding="utf-8")
    done = re2nn("import", str(source), "--project", "P", "--home", home)
    line = "texts.csv: text: text; spans: spans, 2 of 2 filled; split: none; not read: agent."
    assert line in done.out.splitlines()
