"""The next step of a project: a table of how far it may be, and the facts of a real one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.small_system import LOGIC, RULES
from support.projects.finished_run import finished_run, learnable_project, plant_a_change

from re2nn_core.services.next_step import ProjectFacts, next_step, project_facts
from re2nn_core.services.rule_review.classification.stored_reconstruction import reconstruct_run, stored_reconstruction
from re2nn_core.services.rule_review.decisions import ChangeDecision, LearnedChange, ReviewState, decide_changes
from re2nn_core.store import (
    Store,
    create_project,
    create_run,
    flag,
    lease_next,
    open_queue,
    open_store,
    save_version,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example

BEGUN = ProjectFacts(texts=100, labelled=60, rules=True, version=2)
TRAINED = replace(BEGUN, run=3, run_version=2, open_changes=0)
NOTHING = replace(TRAINED, nothing_gained=True)
ANNOTATOR = replace(BEGUN, reviews=False)


@pytest.mark.parametrize(
    ("facts", "page", "title"),
    [
        (replace(BEGUN, texts=0), "projects", "add texts"),
        (replace(BEGUN, rules=False), "rules", "write a rule"),
        (replace(BEGUN, labelled=19), "label", "annotate texts"),
        (replace(BEGUN, texts=12, labelled=12), "train", "train rules v2"),
        (BEGUN, "train", "train rules v2"),
        (replace(TRAINED, running=True, open_changes=4), "train", "watch the training"),
        (replace(TRAINED, open_changes=4), "compare", "see what training changed"),
        (replace(TRAINED, open_changes=1), "compare", "see what training changed"),
        (replace(TRAINED, open_changes=None), "compare", "see what training changed"),
        (replace(TRAINED, waiting=12), "team", "decide 12 texts"),
        (replace(TRAINED, waiting=12, open_changes=4), "compare", "see what training changed"),
        (replace(TRAINED, run_version=1, open_changes=4), "train", "train rules v2"),
        (replace(TRAINED, run_version=None), None, ""),
        (TRAINED, None, ""),
        (replace(BEGUN, single_label="spam"), "label", "annotate another label"),
        (replace(BEGUN, single_label="spam", labelled=100), "projects", "add texts"),
        (replace(BEGUN, single_label="spam", labelled=3), "label", "annotate texts"),
        (replace(NOTHING, open_changes=None), "label", "annotate more texts"),
        (replace(NOTHING, labelled=100), "rules", "write rules for missed texts"),
        (replace(NOTHING, labelled=100, nothing_missed=True), "projects", "add texts"),
        (replace(NOTHING, nothing_missed=True), "label", "annotate more texts"),
        (replace(NOTHING, open_changes=2), "compare", "see what training changed"),
        (replace(NOTHING, waiting=12), "team", "decide 12 texts"),
        (replace(NOTHING, run_version=1), "train", "train rules v2"),
        (ANNOTATOR, "label", "annotate texts"),
        (replace(ANNOTATOR, rules=False, running=True, open_changes=4), "label", "annotate texts"),
        (replace(ANNOTATOR, labelled=100), None, ""),
    ],
)
def test_the_step_that_comes_next(facts: ProjectFacts, page: str | None, title: str) -> None:
    step = next_step(facts)
    if page is None:
        assert step is None
        return
    assert step is not None
    assert (step.page, step.title) == (page, title)
    assert step.sentence.endswith(".")


@pytest.fixture
def store(tmp_path: Path):
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


def test_the_facts_of_a_project_before_training(store: Store) -> None:
    texts = Corpus((Example("a fare", "money"), Example("a flight")))
    project = create_project(store, name="One", examples=texts, rules_text=RULES, logic_text=LOGIC, author="Ann")
    assert project_facts(store, project, reviews=True) == ProjectFacts(2, 1, True, 1, single_label="money")
    save_version(store, project.id, rules_text="// none yet\n", logic_text="", author="Ann", expected_number=1)
    assert not project_facts(store, project, reviews=False).rules
    open_queue(store, project.id, [record.id for record in texts_of(store, project.id)], person="Ann")
    given = lease_next(store, project.id, "Bob")
    assert given is not None
    flag(store, given.text.id, "Bob", note="what is it?")
    assert project_facts(store, project, reviews=True).waiting == 1
    assert project_facts(store, project, reviews=False).waiting == 0
    create_run(store, project.id, "train")
    assert project_facts(store, project, reviews=True).running


def test_the_facts_of_a_training_and_its_review(store: Store) -> None:
    project = learnable_project(store)
    run = finished_run(store, project)
    facts = project_facts(store, project, reviews=True)
    assert (facts.run, facts.run_version, facts.open_changes, facts.single_label) == (1, 1, None, "")
    reconstruct_run(run, texts_of(store, project.id))
    plant_a_change(run)
    kept = stored_reconstruction(run.folder)
    assert kept is not None
    expected = 1 + len(kept.reconstruction.new_rules)
    assert project_facts(store, project, reviews=True).open_changes == expected
    decide_changes(store, project.id, [(LearnedChange("price", "x"), ChangeDecision(ReviewState.REJECTED))], "Ann")
    assert project_facts(store, project, reviews=True).open_changes == expected - 1
    decide_changes(store, project.id, [(LearnedChange("price", "x"), ChangeDecision(ReviewState.OPEN))], "Ann")
    assert project_facts(store, project, reviews=True).open_changes == expected
