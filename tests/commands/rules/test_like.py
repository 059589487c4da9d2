"""The command `like`: classes of like words are decided and written; what it says."""

from __future__ import annotations

import json
from pathlib import Path

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
