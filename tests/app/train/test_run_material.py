"""The page Fine-tune tells of a run which of the texts in its figures it was not trained on, and under what policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.services.fine_tuning.run_material import FILE
from re2nn_core.store import (
    Policy,
    ProjectRecord,
    Store,
    list_runs,
    open_store,
    record_label,
    set_policy,
    texts_of,
)

# Every test has its own copy of the store with its finished runs.
pytestmark = pytest.mark.usefixtures("filled")

WAITED = (
    "28 of these 32 texts were used for training, 4 were not: 4 did not meet the training labels policy (only "
    "adjudicated labels)."
)


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run on every label, and one on only adjudicated labels, for which four train texts waited."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        project = learnable_project(store, unlabelled=3)
        texts = [text for text in texts_of(store, project.id) if text.split in ("train", None) and text.label]
        for text in texts[:4]:
            record_label(store, text.id, str(text.label), "Ann")
        finished_run(store, project, train={"epochs": 1})
        set_policy(store, project.id, Policy("decided"))
        finished_run(store, project, train={"epochs": 1})
    return folder


def view(studio: Studio, project: ProjectRecord, name: str, split: str = "train") -> None:
    studio.open("train", project=project.id)
    studio.test.segmented_control(key="train_view").set_value(name).run()
    [chosen] = [c for c in studio.test.segmented_control if str(c.key).startswith(("train_split", "train_pair_split"))]
    chosen.set_value(split).run()
    studio.checked()


def captions(studio: Studio) -> str:
    return "\n".join(caption.value for caption in studio.test.caption)


def test_texts_that_waited_were_not_learned_from(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    view(studio, learnable, "By label")
    assert WAITED in studio.html
    assert "has learned from these texts" not in studio.html
    assert "Trained on only adjudicated labels</li><li>4 texts waited" in studio.html
    assert any("on only adjudicated labels" in row for row in studio.frame("settings")["settings"])
    # Neither a later policy nor a later label makes it say that it was trained on them.
    set_policy(store, learnable.id, Policy("every"))
    for text in texts_of(store, learnable.id)[-3:]:
        record_label(store, text.id, "travel", "Ann")
    fresh = Studio()
    view(fresh, learnable, "By label")
    assert WAITED in fresh.html
    assert "Trained on only adjudicated labels</li><li>4 texts waited" in fresh.html


def test_two_runs_name_what_trained(studio: Studio, learnable: ProjectRecord) -> None:
    view(studio, learnable, "Compare two runs")
    assert f"Run 2: {WAITED}" in studio.html
    assert "Run 1:" not in studio.html
    assert "labels that train" in studio.html
    assert ">every label<" in studio.html
    assert ">only adjudicated labels<" in studio.html


def test_a_run_from_before_says_what_it_said(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = list_runs(store, learnable.id)[0]
    (run.folder / FILE).unlink()
    view(studio, learnable, "By label")
    assert "These texts were used for training" in studio.html
    assert "were not" not in studio.html
