"""The command `like`: classes of like words are decided and written; what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from re2nn_core.cli import main

RULES = "[back]\n$* @~refund:0.5@ $*\n"
TEXTS = "label,text\n" + "back,refund my bag\nback,refunds for my bag\nback,refund the ticket\n" * 4


def run(tmp_path: Path, *arguments: str) -> str:
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "texts.csv").write_text(TEXTS)
    found = CliRunner().invoke(
        main, ["like", f"{tmp_path}/rules.txt", "--data", f"{tmp_path}/texts.csv", "--vectors", "builtin", *arguments]
    )
    assert found.exit_code == 0, found.output
    return found.stdout


def test_words_are_written_into_the_rules_and_stay(tmp_path: Path) -> None:
    decided = tmp_path / "decided.txt"
    report = run(tmp_path, "-o", str(decided))
    assert report.startswith("@~refund:0.5@ has ")
    assert "refund (1.00, 8x)" in report
    assert decided.read_text().startswith("@~refund:0.5@=( refund")
    again = CliRunner().invoke(main, ["like", str(decided), "--data", f"{tmp_path}/texts.csv"])
    assert "No class of like words is undecided." in again.stdout
    checked = CliRunner().invoke(main, ["check", str(decided)])
    assert checked.exit_code == 0


def test_the_words_as_json(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "--json"))
    assert found["vectors"]["name"] == "builtin"
    assert found["classes"]["~refund:0.5"][0] == {"word": "refund", "nearness": 1.0, "count": 8}


def test_a_nearness_that_takes_a_tenth_of_the_words_is_warned_of(tmp_path: Path) -> None:
    vectors = "".join(f"word{place} 1 {place / 40}\n" for place in range(40)) + "far -1 0\n"
    (tmp_path / "vectors.txt").write_text(vectors)
    (tmp_path / "rules.txt").write_text("[back]\n$* @~word0:0.05@ $*\n")
    (tmp_path / "texts.csv").write_text("label,text\n" + "".join(f"back,word{place} far\n" for place in range(40)))
    command = [
        "like",
        f"{tmp_path}/rules.txt",
        "--data",
        f"{tmp_path}/texts.csv",
        "--vectors",
        f"{tmp_path}/vectors.txt",
    ]
    found = CliRunner().invoke(main, command)
    assert found.exit_code == 0, found.output
    taken = (
        "Warning: '@~word0:0.05@' takes 21 of the 41 words of the texts, more than one in ten. Write a higher nearness"
    )
    assert taken in found.stdout
    assert json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)["warnings"][0] in found.stdout


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("$* @~refund:0.01@ $*", "Line 2, '@~refund:0.01@': the nearness 0.01 is not between 0.05 and 0.99."),
        ("$* @~refund:1@ $*", "Line 2, '@~refund:1@': the nearness 1 is not between 0.05 and 0.99."),
        ("$* @~refund@ $*", "Line 2, '@~refund@': '@~refund@' does not name words and a nearness."),
    ],
)
def test_a_class_that_cannot_be_read_is_an_error(tmp_path: Path, rule: str, message: str) -> None:
    """No class was undecided, it said."""
    (tmp_path / "rules.txt").write_text(f"[back]\n{rule}\n// @~not:9@ in a comment is none\n")
    (tmp_path / "texts.csv").write_text(TEXTS)
    found = CliRunner().invoke(main, ["like", f"{tmp_path}/rules.txt", "--data", f"{tmp_path}/texts.csv"])
    assert found.exit_code == 2
    assert message in found.output
    assert "from 0.05 to 0.99: @~refund:0.6@" in found.output


def test_only_a_comment_with_such_a_name_is_none(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("[back]\n$* refund $*  // as @~refund@\n")
    (tmp_path / "texts.csv").write_text(TEXTS)
    found = CliRunner().invoke(main, ["like", f"{tmp_path}/rules.txt", "--data", f"{tmp_path}/texts.csv"])
    assert found.exit_code == 0, found.output


def test_a_source_of_vectors_that_is_none_names_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "texts.csv").write_text(TEXTS)
    command = ["like", f"{tmp_path}/rules.txt", "--data", f"{tmp_path}/texts.csv", "--vectors", "built-in"]
    found = CliRunner().invoke(main, command)
    assert found.exit_code == 2
    assert "'built-in' is no source of word vectors: there is no such file." in found.output
    assert "Give a file, or encoder, builtin or static." in found.output
