"""re2nn experiment curve, on a made-up data set."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call

QUICK = ("--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


def test_curve_and_its_figure(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    figure = tmp_path / "curve.html"
    models = ("--model", "fa-rnn", "--model", "fa-rnn-viterbi", "--label", "money", "--figure", figure)
    outcome = re2nn("experiment", "curve", *own, "--portions", "0,0.05", *models, *QUICK, "--json")
    assert outcome.code == 0, outcome.err
    rows = outcome.data["rows"]
    assert [(row["model"], row["portion"]) for row in rows] == [
        ("fa-rnn", 0),
        ("fa-rnn", 0.05),
        ("fa-rnn-viterbi", 0),
        ("fa-rnn-viterbi", 0.05),
    ]
    assert (rows[0]["precision"]["mean"], rows[0]["recall"]["mean"]) == (100, 75)
    assert "fa-rnn-viterbi, recall of money" in figure.read_text(encoding="utf-8")
    wrong = re2nn("experiment", "curve", *own, "--label", "spam", *QUICK)
    assert wrong.err.endswith("No test text of rules carries the label 'spam'. Choose one of: travel, money.\n")
