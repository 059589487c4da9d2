"""The threshold moved by hand on the page Compare."""

from __future__ import annotations

import re

import pytest
import streamlit as st
from support.app.app_studio import Studio
from support.app.compare_steps import seen_as

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_review.classification.thresholds import ThresholdSweep, sweep_thresholds
from re2nn_core.services.rule_writing.rule_saving import save_rules
from re2nn_core.store import ProjectRecord, Store, latest_version, version_by_number

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


def explored(studio: Studio, learnable: ProjectRecord) -> None:
    """The view is of a written rule: a new one, with which the page begins, has no threshold."""
    studio.open("compare", project=learnable.id)
    seen_as(studio, "Thresholds")
    next(box for box in studio.test.selectbox if box.label == "Rule").set_value("much").run()
    studio.checked()


def test_what_dev_takes_is_shown_first(studio: Studio, learnable: ProjectRecord) -> None:
    explored(studio, learnable)
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    one = f"Best single threshold for all rules, chosen on dev: {slider.value:.2f}"
    assert f"{one} (so figures there prove little)." in studio.html
    assert "on dev (also used for training)</span>" in studio.html
    # What the rules offered above come to stands beside it, for either choice on the same splits.
    beside = studio.html[studio.html.index("The reviewed rules have one threshold each") :]
    assert f"One threshold for all, {slider.value:.2f}: " in beside
    assert beside[: beside.index("With few dev texts")].count("% on dev (also used for training), ") == 2
    assert "agreement with the network" in studio.html


def test_rule_and_figures_follow_the_threshold(studio: Studio, learnable: ProjectRecord) -> None:
    explored(studio, learnable)
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    shown = []
    for threshold in (slider.options[0], slider.options[-1]):
        [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
        slider.set_value(float(threshold)).run()
        studio.checked()
        assert f" at {float(threshold):.2f}</div>" in studio.html
        shown.append(studio.html)
    assert shown[0] != shown[1]


def test_one_rule_moves_alone(studio: Studio, learnable: ProjectRecord) -> None:
    explored(studio, learnable)
    studio.test.segmented_control(key="compare_moving_1").set_value("only this rule").run()
    studio.checked()
    changed = re.split(r"<span>rules? changed", studio.html)[-2].rsplit("<b>", 1)[1]
    assert changed.startswith(("0<", "1<"))
    name = chosen_rule(studio)
    assert re.search(rf">Only {name} at [01]\.\d\d; all others as written \(v1[^<]*\)</div>", studio.html)
    assert ">All rules by threshold</div>" in studio.html


def chosen_rule(studio: Studio) -> str:
    """The rule that the view is of."""
    return next(str(box.value) for box in studio.test.selectbox if box.label == "Rule")


def moved_to(studio: Studio, place: int) -> float:
    """Move the slider to a threshold of the grid."""
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    threshold = float(slider.options[place])
    slider.set_value(threshold).run()
    studio.checked()
    return threshold


def taken(studio: Studio, what: str) -> None:
    [switch] = [toggle for toggle in studio.test.toggle if toggle.label == f"Accept {what} at this threshold"]
    switch.set_value(True).run()
    studio.checked()


def test_the_rules_at_a_threshold_are_taken_over_with_their_effect_shown_before(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    explored(studio, learnable)
    threshold = moved_to(studio, 0)
    taken(studio, "the rules")
    shown = studio.html[studio.html.index(" in rules v1:", studio.html.index("Effect of the rules at ")) :]
    assert "<span>dev (also used for training)</span>" in shown
    assert "<span>test</span>" in shown
    assert f"<b>Effect of the rules at {threshold:.2f}</b>" in studio.html  # the texts that they move
    button = studio.test.button(key="compare_threshold_save")
    assert button.label.endswith(f"at {threshold:.2f} as rules v2")
    button.click().run()
    studio.checked()
    saved = latest_version(store, learnable.id)
    assert saved.number == 2
    assert saved.message.startswith(f"Run 1 at threshold {threshold:.2f}: ")
    assert "cost" in saved.rules_text
    # What was taken over is reported, and can be taken back.
    seen_as(studio, "By rule")
    assert "<b>v2</b> saved by you" in studio.html
    assert studio.test.button(key="version_undo").label == "Back to rules v1"


def test_one_rule_alone_is_taken_over(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    explored(studio, learnable)
    moved_to(studio, 0)
    name = chosen_rule(studio)
    studio.test.segmented_control(key="compare_moving_1").set_value("only this rule").run()
    taken(studio, "this rule")
    studio.test.button(key="compare_threshold_save").click().run()
    studio.checked()
    before, after = (
        read_rules(text).ruleset for text in (project_rules(store, learnable, 1), newest_rules(store, learnable))
    )
    moved = [one.name for one, other in zip(before.rules, after.rules, strict=True) if one.expanded != other.expanded]
    assert moved == [name]


def project_rules(store: Store, learnable: ProjectRecord, number: int) -> str:
    return version_by_number(store, learnable.id, number).rules_text


def newest_rules(store: Store, learnable: ProjectRecord) -> str:
    return latest_version(store, learnable.id).rules_text


def test_every_rule_is_tried_once_and_kept_when_a_version_is_saved(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def counting(*given: object, **options: object) -> ThresholdSweep:
        tried.append(1)
        return sweep_thresholds(*given, **options)

    monkeypatch.setattr("re2nn_core.services.rule_review.classification.threshold_file.sweep_thresholds", counting)
    explored(studio, learnable)
    newest = latest_version(store, learnable.id)
    save_rules(
        store,
        learnable,
        rules_text=newest.rules_text + "more := $* fee $*\n",
        logic_text=newest.logic_text,
        author="tester",
        expected_number=1,
    )
    explored(Studio(), learnable)
    assert tried == [1]
    st.cache_resource.clear()  # as behind a restart of the server
    explored(Studio(), learnable)
    assert tried == [1]
