"""Help, wrong usage, exit codes, and what is loaded for which command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import RULES, Call

from re2nn_core.cli import COMMANDS, KINDS

HEAVY = ("torch", "pandas", "streamlit", "sqlalchemy", "plotly", "sklearn")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(re2nn: Call, command: str) -> None:
    outcome = re2nn(command, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: main {command} ")
    assert "--json" in outcome.out
    assert f"re2nn {command}" in outcome.out.split("Example:")[1]


def test_help_lists_every_command_in_order(re2nn: Call) -> None:
    listed = re2nn("--help").out.split("Start:\n")[1].splitlines()
    shown = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
    assert shown == [name for names in KINDS.values() for name in names]


def test_no_command_shows_the_help_and_is_bad_usage(re2nn: Call) -> None:
    outcome = re2nn()
    assert (outcome.code, outcome.out) == (2, "")
    assert "Models:" in outcome.err


def test_unknown_command_and_option(re2nn: Call) -> None:
    outcome = re2nn("chekc")
    assert (outcome.code, outcome.out) == (2, "")
    assert "No such command 'chekc'" in outcome.err
    wrong = re2nn("check", "rules.txt", "--jsn")
    assert wrong.code == 2
    assert "No such option" in wrong.err


def test_bad_usage_is_json_too_where_asked_for(re2nn: Call) -> None:
    outcome = re2nn("check", "--json")
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.data == {"error": "Missing argument 'FILE'."}


def loaded_by(*arguments: str | Path) -> tuple[int, set[str]]:
    """The exit code of a call in a process of its own, and the heavy modules that it loaded."""
    code = (
        "import json, sys\n"
        "from re2nn_core.cli import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit as end:\n"
        "    status = end.code\n"
        f"print(json.dumps([status, [name for name in {HEAVY!r} if name in sys.modules]]), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    status, heavy = json.loads(done.stderr.splitlines()[-1])
    return status, set(heavy)


@pytest.mark.parametrize("arguments", [("check", "rules.txt"), ("compile", "rules.txt"), ("--help",)])
def test_rule_commands_load_nothing_heavy(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert loaded_by(*arguments) == (0, set())


def test_a_difference_drawn_without_a_model_does_not_load_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status, heavy = loaded_by("diff", "rules.txt", "rules.txt", "--label", "flight", "--svg", "out.svg")
    assert status == 0
    assert "torch" not in heavy
    assert (tmp_path / "out.svg").is_file()


@pytest.mark.parametrize("rules", [RULES, "[rules]\n$* to <city: oslo | rome> $*\n"], ids=["labels", "slots"])
def test_a_prediction_by_rules_does_not_load_torch(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.txt").write_text(rules, encoding="utf-8")
    (tmp_path / "texts.csv").write_text("text\nto oslo please\nnothing of it\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert loaded_by("predict", "--rules", "rules.txt", "texts.csv", "-o", "predictions.csv")[1].isdisjoint({"torch"})
    assert (tmp_path / "predictions.csv").read_text(encoding="utf-8").count("\n") == 3


def test_the_check_of_loaded_modules_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that loads pandas, met on the way, is found."""
    package = Path(sys.modules["re2nn_core"].__file__ or "").parent.parent
    (tmp_path / "sitecustomize.py").write_text("import pandas\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{package}")
    status, heavy = loaded_by("--help")
    assert status == 0
    assert "pandas" in heavy


def start(*arguments: str | Path, **settings: Any) -> subprocess.Popen[str]:
    """A call in a process of its own."""
    command = [sys.executable, "-c", "from re2nn_core.cli import main; main()", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)


def test_reader_who_stops_reading_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("[a]\n" + "\n".join(f"$* w{n} $* ( x | x )" for n in range(3000)), encoding="utf-8")
    with start("check", path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "the same alternative" in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == 0


def test_terminal_without_the_signs(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("[a]\n$* 航班 $* ( x | x )\n", encoding="utf-8")
    with start("check", path, env={"PYTHONIOENCODING": "ascii", "PATH": ""}) as process:
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0
    assert r"\u822a\u73ed" in out
