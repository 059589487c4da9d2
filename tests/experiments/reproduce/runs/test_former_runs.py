"""A file of runs that a former version wrote (re2nn_core/experiments/reproduce/runs/runs_file.py)."""

from __future__ import annotations

import json
from pathlib import Path

from re2nn_core.experiments.reproduce.runs.runs_file import add_runs, read_runs
from re2nn_core.experiments.reproduce.tables.spec import Job

MACHINE = {"cpu": "one"}


def former_file(path: Path) -> None:
    """Runs of two jobs, with settings as they were named."""
    run = {"seed": 0, "values": {"accuracy": 90.0}, "vectors": "none", "seconds": 1.0, "date": "2026-01-01"}
    shared = {"settings": "a", "machine": "b", "code": "c", "recipe": "d"}
    jobs = ("labels/QC/10%/fa-rnn", "labels/QC/10%/fa-rnn/beta=0.3,vectors=none")
    document = {
        "kind": "reproduced",
        "format": 1,
        "settings": {"a": {"beta": 0.3, "pull": 0.0, "epochs": 2}},
        "machine": {"b": MACHINE},
        "code": {"c": "0"},
        "recipe": {"d": "few"},
        "published": {},
        "runs": {job: [{**run, **shared}] for job in jobs},
    }
    path.write_text(json.dumps(document), encoding="utf-8")


def test_jobs_and_settings_are_named_as_today(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    former_file(path)
    kept = read_runs(path)
    job = Job("labels", "QC", "fa-rnn", 0.1, (("rule_weight", 0.3), ("vectors", "none")))
    assert set(kept.runs) == {"labels/QC/10%/fa-rnn", job.key}
    (run,) = kept.of(job.key)
    assert run.measured.settings == {"rule_weight": 0.3, "l2_to_initial": 0.0, "epochs": 2}
    add_runs(path, [(job.key, run)])
    assert read_runs(path).runs == kept.runs
    assert "beta" not in path.read_text(encoding="utf-8")
