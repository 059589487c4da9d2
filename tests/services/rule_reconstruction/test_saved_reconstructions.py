"""What is reconstructed from any network can be read, accepted, saved as a version, exported and imported again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.explained import as_trained
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.networks.tagger_samples import config_of, disturbed
from support.projects.finished_run import learnable_project
from support.projects.finished_tagger_run import RULES as SLOT_RULES
from support.projects.finished_tagger_run import slot_corpus, slot_project

from re2nn_core.network.slot_filling.bundle import TaggerParts, build_tagger
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    accept,
    accept_all,
    accept_rules,
    is_merged,
)
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import reconstruct_slots
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_review.classification.thresholds import sweep_thresholds
from re2nn_core.services.rule_review.slot_filling.thresholds import sweep_slot_thresholds
from re2nn_core.services.rule_systems.project_rules import read_project_rules
from re2nn_core.services.rule_writing.rule_saving import save_rules
from re2nn_core.store import ProjectRecord, Store, latest_version, open_store
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

SENTENCES = '[price]\nmust = ["what is the price"]\n[much]\nmust = ["how much"]\n'
SLOT_LOGIC = 'priorities = ["day > to_city", "to_city > from_city", "from_city > O"]\nlongest = true\n'


def saved(store: Store, project: ProjectRecord, accepted: Acceptance, sentences: str | None) -> None:
    """As the next version, and as an archive that is a project again."""
    save_rules(
        store,
        project,
        rules_text=accepted.rules_text,
        logic_text=accepted.logic_text,
        author="tester",
        expected_number=None,
        sentences_text=sentences,
        although="learned",
    )
    archive = export_project(store, project.id)
    again = import_archive(store, archive, "tester", name=f"{project.name} {latest_version(store, project.id).number}")
    version = latest_version(store, again.id)
    assert (version.rules_text, version.logic_text) == (accepted.rules_text, accepted.logic_text)
    read_project_rules(store, again, version.rules_text, version.logic_text)


@pytest.mark.parametrize("mode", ["rule", "label"])
@pytest.mark.parametrize(("size", "seed"), [(0.5, 1), (2.0, 2)])
def test_rules_for_labels(mode: str, size: float, seed: int, tmp_path: Path) -> None:
    bundle, given = as_trained(size=size, seed=seed, machines=mode), {"rules_text": RULES, "logic_text": LOGIC}
    found = reconstruct(bundle, small_corpus())
    changed = [rule.name for rule in found.rules if not rule.kept_original]
    if is_merged(found, RULES, lowercase=True):
        accepted = [accept_all(found, RULES, lowercase=True)]
    else:
        accepted = [accept(found, changed, trained_on=RULES, **given, lowercase=True)]
    sweep = sweep_thresholds(bundle, small_corpus())
    for at in map(sweep.at, (0.0, 0.5, 1.0)):
        accepted.append(accept_rules(at.rules_text, at.moved, trained_on=RULES, **given, lowercase=True))
    with open_store(tmp_path / "re2nn.sqlite3") as store:
        project = learnable_project(store)
        for one in accepted:
            saved(store, project, one, SENTENCES)


def test_rules_for_slots(tmp_path: Path) -> None:
    rules = SLOT_RULES
    vocabulary = build_vocabulary([example.text.split() for example in slot_corpus()])
    bundle = build_tagger(TaggerParts(rules, SLOT_LOGIC, Tokenization(), vocabulary, config_of()))
    disturbed(bundle.network, 0.6, 2)
    bundle = replace(bundle, trained=True)
    given = {"trained_on": rules, "rules_text": rules, "logic_text": SLOT_LOGIC}
    found = reconstruct_slots(bundle, slot_corpus())
    names = [rule.name for rule in (*found.rules, *found.new_rules)]
    accepted = [accept_slots(found, names, **given, tokenization=Tokenization())]
    sweep = sweep_slot_thresholds(bundle, slot_corpus())
    for at in map(sweep.at, (0.0, 0.5, 0.7, 1.0)):
        accepted.append(accept_rules(at.rules_text, at.moved, **given, lowercase=True))
    assert any("left out" in one.logic_text for one in accepted)  # some rule has lost its slot
    with open_store(tmp_path / "re2nn.sqlite3") as store:
        project = slot_project(store)
        for one in accepted:
            saved(store, project, one, None)
