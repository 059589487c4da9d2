"""Outputs that would overwrite what is read, or each other: refused by every command, and nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from support.command_line import Call

from re2nn_core.cli import COMMANDS, main
from re2nn_core.commands._common.options import PATH

TWO = (
    "two outputs have the same path, {path}, so that one would replace the other. Nothing was written. Give each a path"
)
INPUT = "{path} is an input, and {name} would overwrite it. Nothing was written. Give another path for {name}."


@pytest.fixture
def folder(rules: Path, logic: Path, texts: Path, slot_rules: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files, with a second rule file, a model folder and links; it is the current one."""
    folder = rules.parent
    (folder / "b.txt").write_text(rules.read_text(encoding="utf-8").replace("fare |", "fare | price |"), "utf-8")
    (folder / "texts.jsonl").write_text('{"text": "to oslo"}\n', encoding="utf-8")
    (folder / "texts.logic.toml").write_text("", encoding="utf-8")
    (folder / "model").mkdir()
    (folder / "model" / "bundle.json").write_text("{}", encoding="utf-8")
    (folder / "soft.txt").symlink_to(rules)
    (folder / "hard.txt").hardlink_to(folder / "b.txt")
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


RECONSTRUCT = ("reconstruct", "--model", "model", "--data", "texts.tsv")
CASES: tuple[tuple[Sequence[str], str], ...] = (
    (
        ("diff", "rules.txt", "b.txt", "--svg", "rules.txt"),
        f"--svg and A: {INPUT.format(path='rules.txt', name='--svg')}",
    ),
    (("diff", "rules.txt", "b.txt", "--png", "b.txt"), f"--png and B: {INPUT.format(path='b.txt', name='--png')}"),
    (("diff", "rules.txt", "b.txt", "--dot", "./rules.txt"), "--dot and A: rules.txt is an input"),
    (("diff", "rules.txt", "b.txt", "--dot", "../X/rules.txt"), "--dot and A: ../X/rules.txt (rules.txt) is an input"),
    (("diff", "rules.txt", "b.txt", "--svg", "soft.txt"), "--svg and A: soft.txt (rules.txt) is an input"),
    (("diff", "rules.txt", "b.txt", "--svg", "hard.txt"), "--svg and B: hard.txt (b.txt) is an input"),
    (("diff", "rules.txt", "b.txt", "--data", "texts.tsv", "--svg", "texts.tsv"), "--svg and --data: texts.tsv is an"),
    (
        ("diff", "rules.txt", "b.txt", "--logic-a", "logic.toml", "--svg", "logic.toml"),
        "--svg and --logic-a: logic.toml",
    ),
    (
        ("diff", "rules.txt", "b.txt", "--svg", "o.svg", "--png", "o.svg"),
        f"--svg and --png: {TWO.format(path='o.svg')}",
    ),
    (("diff", "rules.txt", "b.txt", "--png", "o", "--dot", "../X/o"), "same path, o (../X/o), so"),
    (
        (*RECONSTRUCT, "-o", "x.txt", "--logic-output", "x.txt"),
        f"--output and --logic-output: {TWO.format(path='x.txt')}",
    ),
    ((*RECONSTRUCT, "-o", "x.txt", "--weights-output", "x.txt"), "--output and --weights-output: two outputs have"),
    (
        (*RECONSTRUCT, "-o", "x.txt", "--weights-output", "x.logic.toml"),
        "--weights-output and the default of --logic-out",
    ),
    ((*RECONSTRUCT, "-o", "texts.tsv"), f"--output and --data: {INPUT.format(path='texts.tsv', name='--output')}"),
    (
        (*RECONSTRUCT[:4], "texts.logic.toml", "-o", "texts.x"),
        "the default of --logic-output and --data: texts.logic.toml",
    ),
    ((*RECONSTRUCT, "-o", "model/bundle.json"), "--output and --model: model/bundle.json is an input"),
    (("review", "model", "--html", "x.html", "--patch", "x.html"), "--html and --patch: two outputs have"),
    (("review", "model", "--html", "model/bundle.json"), "--html and MODEL: model/bundle.json is an input"),
    (("predict", "texts.jsonl", "--rules", "rules.txt", "-o", "texts.jsonl"), "--output and INPUT: texts.jsonl is an"),
    (("predict", "texts.jsonl", "--rules", "slots.txt", "-o", "texts.jsonl"), "--output and INPUT: texts.jsonl is an"),
    (
        ("propose", "--rules", "rules.txt", "--data", "texts.tsv", "-o", "texts.tsv"),
        "--output and --data: texts.tsv is",
    ),
    (
        ("propose", "--rules", "rules.txt", "--data", "texts.tsv", "-o", "o", "--logic-output", "rules.txt"),
        "--logic-output and --rules: rules.txt is an input",
    ),
    (("draw", "rules.txt", "--label", "fare", "-o", "rules.txt"), "--output and FILE: rules.txt is an input"),
    (
        ("certify", "--rules", "rules.txt", "--data", "texts.tsv", "-o", "texts.tsv"),
        "--output and --data: texts.tsv is an",
    ),
    (
        ("export", "--project", "x", "--home", ".", "re2nn.sqlite3", "--format", "jsonl"),
        "re2nn.sqlite3 is the database",
    ),
    (("experiment", "curve", "--data", "SMS", "--output", "o", "--figure", "o"), "--figure and --output: two outputs"),
    (
        (*("experiment", "classification", "--train", "texts.tsv", "--dev", "texts.tsv", "--test", "texts.jsonl"),)
        + ("--rules", "rules.txt", "--logic", "logic.toml", "--output", "rules.txt"),
        "--output and --rules: rules.txt is an input",
    ),
    (("backup", "--home", ".", "re2nn.sqlite3", "--overwrite"), "re2nn.sqlite3 is the database itself, and FILE would"),
)


@pytest.mark.parametrize(("arguments", "words"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_an_output_is_no_input_and_no_other_output(
    re2nn: Call, folder: Path, arguments: Sequence[str], words: str
) -> None:
    before = contents(folder)
    outcome = re2nn(*(argument.replace("/X/", f"/{folder.name}/") for argument in arguments))
    assert outcome.code == 2
    assert words.replace("/X/", f"/{folder.name}/") in outcome.err
    assert outcome.out == ""
    assert contents(folder) == before


def _written(command: click.Command) -> set[str]:
    """Parameters whose help says that something is written to the file."""
    reported = ("File for", "to this file", "HTML file", "The same as", "File of results")
    found = set()
    for one in command.params:
        if isinstance(one, click.Option) and one.type is PATH and any(words in (one.help or "") for words in reported):
            found.add(one.opts[0])
    return found


def test_every_command_with_outputs_is_known_here() -> None:
    """A new option that writes a file needs a case above."""
    context = click.Context(main)
    found = {name: _written(main.get_command(context, name) or click.Command(None)) for name in COMMANDS}
    assert {name: options for name, options in found.items() if options} == {
        "draw": {"-o"},
        "diff": {"--svg", "--png", "--dot"},
        "predict": {"-o"},
        "propose": {"-o", "--logic-output"},
        "like": {"-o"},
        "certify": {"-o"},
        "reconstruct": {"-o", "--logic-output", "--weights-output"},
        "review": {"--html", "--patch"},
    }


@pytest.mark.parametrize(
    ("arguments", "there"),
    [
        ((*RECONSTRUCT, "-o", "b.txt"), "b.txt is there already."),
        ((*RECONSTRUCT, "-o", "texts.txt"), "texts.logic.toml is there already."),
        ((*RECONSTRUCT, "-o", "b.txt", "--logic-output", "texts.logic.toml"), "b.txt and texts.logic.toml are there"),
        (("reconstruct", "--predictions", "texts.tsv", "-o", "b.txt"), "b.txt is there already."),
        (("propose", "--data", "texts.tsv", "-o", "b.txt"), "b.txt is there already."),
    ],
)
def test_rules_that_are_there_already_are_replaced_only_when_asked(
    re2nn: Call, folder: Path, arguments: Sequence[str], there: str
) -> None:
    """They may hold somebody's work, which the search for rules takes long to make again."""
    (folder / "texts.logic.toml").write_text('default = "fare"\n', encoding="utf-8")
    before = contents(folder)
    refused = re2nn(*arguments)
    assert refused.code == 2
    assert there in refused.err
    assert "Nothing was written. Name another file, or give --overwrite." in refused.err
    assert contents(folder) == before
    assert "there already" not in re2nn(*arguments, "--overwrite").err


def test_an_empty_file_and_what_is_no_file_are_written_without_asking(re2nn: Call, folder: Path) -> None:
    (folder / "empty.txt").touch()
    for path, logic in (("empty.txt", "one.toml"), ("/dev/null", "two.toml")):
        done = re2nn("propose", "--data", "texts.tsv", "-o", path, "--logic-output", logic)
        assert done.code == 0, done.err
    assert (folder / "empty.txt").stat().st_size
