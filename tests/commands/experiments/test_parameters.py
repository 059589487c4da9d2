"""re2nn experiment parameters, on a made-up data set."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call

QUICK = ("--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


def test_parameters(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    rows = re2nn("experiment", "parameters", *own, *QUICK, "--json").data["rows"]
    counts = {row["model"]: row["parameters"] for row in rows}
    assert list(counts) == ["fa-rnn", "fa-gru", "bifa-rnn", "bifa-gru"]
    assert counts["fa-rnn"] < counts["fa-gru"] < counts["bifa-gru"]
    assert {row["published"] for row in rows} == {None}
    text = re2nn("experiment", "parameters", *own, *QUICK).out
    assert "not held at zero" in text
