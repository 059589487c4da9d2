"""The page Compare, as tests open it and decide on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import plant_a_change

from pages._compare import exports
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE, stored_reconstruction
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState, decide_changes, learned_change
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import stored_slot_reconstruction
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.values.rules import read_rules
from re2nn_core.store import ProjectRecord, RunRecord, Store, get_project, get_version

Made = dict[str, Callable[[], str]]


def kept_downloads(monkeypatch: pytest.MonkeyPatch, module: ModuleType = exports) -> Made:
    """What each button that makes a file on a click hands over, by its title, while the page is used."""
    found: Made = {}
    download = module.download

    def keep(title: str, data: Any, *arguments: Any, **options: Any) -> None:
        if callable(data):
            found[title] = data
        download(title, data, *arguments, **options)

    monkeypatch.setattr(module, "download", keep)
    return found


def opened_with_a_change(studio: Studio, project: ProjectRecord, run: RunRecord) -> RunRecord:
    """The page with a run whose rule `price` has changed for sure."""
    studio.open("compare", project=project.id)
    plant_a_change(run)
    studio.test.run()
    studio.checked()
    return run


def seen_as(studio: Studio, view: str) -> Studio:
    """Another view of the page."""
    studio.test.segmented_control(key="compare_view").set_value(view).run()
    studio.checked()
    return studio


def review_data(studio: Studio) -> dict[str, Any]:
    """What the review in the browser is sent."""
    [part] = [part for part in studio.test.get("bidi_component") if part.proto.component_name == "re2nn_review"]
    found: dict[str, Any] = json.loads(part.proto.json)
    return found


def cards(studio: Studio) -> dict[str, dict[str, Any]]:
    """The cards of the review by rule, in their order."""
    return {card["rule"]: card for card in review_data(studio)["cards"]}


def states(studio: Studio) -> dict[str, str]:
    """What stands of each change."""
    return {rule: card["state"] for rule, card in cards(studio).items()}


def decided(
    store: Store, run: RunRecord, rule: str, state: str = "accepted", *, person: str = "analyst", text: str = ""
) -> None:
    """Somebody decides about the change of a rule, as the review does when its button is pressed."""
    kept = stored_reconstruction(run.folder)
    assert kept is not None
    change = learned_of(store, run, kept.reconstruction, rule)
    decide_changes(store, run.project_id, [(change, ChangeDecision(ReviewState(state), text=text))], person)


def learned_of(store: Store, run: RunRecord, found: Reconstruction, rule: str) -> Any:
    """The change of a rule for labels."""
    written = "" if run.rule_version_id is None else get_version(store, run.rule_version_id).rules_text
    before, after = (
        {one.name: one.expanded for one in read_rules(text).ruleset.rules} for text in (written, found.rules_text)
    )
    return learned_change(rule, before.get(rule), after[rule])


def change_reconstruction(run: RunRecord, old: str, new: str, *changed: str) -> None:
    """Beside the planted change other rules have learned something: `changed` names them."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    assert old in found["rules_text"]
    found["rules_text"] = found["rules_text"].replace(old, new)
    for rule in found["rules"]:
        if rule["name"] in changed:
            rule.update(kept_original=False, threshold=0.4, won=[2], lost=[])
    path.write_text(json.dumps(values), encoding="utf-8")


def slot_decided(store: Store, run: RunRecord, *rules: str, state: str = "accepted") -> None:
    """The same for rules for slots, of several at once."""
    kept, project = stored_slot_reconstruction(run.folder), get_project(store, run.project_id)
    assert kept is not None
    assert run.rule_version_id is not None
    written, found = get_version(store, run.rule_version_id), kept.reconstruction
    before, after = (
        dict(read_slot_system(rules_text, logic_text, project.tokenization)[0].trees)
        for rules_text, logic_text in (
            (written.rules_text, written.logic_text),
            (found.rules_text, found.logic_text),
        )
    )
    wanted = [
        (learned_change(rule, before.get(rule), after[rule]), ChangeDecision(ReviewState(state))) for rule in rules
    ]
    decide_changes(store, run.project_id, wanted, "analyst")
