"""Compare where a network, read back, changes no rule: what helps, and what the network alone predicts correctly."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import opened_with_a_change, seen_as

from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import ProjectRecord, RunRecord, Store, get_version, texts_of

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages._compare.comparison.changes_in_order", lambda _: [])


@pytest.mark.usefixtures("no_change")
def test_it_names_what_helps_and_lists_the_texts_of_the_network_alone(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    version = get_version(store, run.rule_version_id or 0)
    records = texts_of(store, learnable.id)
    system, _ = read_system(version.rules_text, version.logic_text, learnable.tokenization)
    texts = [record.text for record in records]
    by_network, by_rules = predict(bundle_of(run), texts).predictions, system.predictions(texts)
    alone = [
        record.text
        for record, network, rules in zip(records, by_network, by_rules, strict=True)
        if record.label is not None and network == record.label != rules
    ]
    assert alone
    studio.open("compare", project=learnable.id)
    assert "No change of a rule holds on other texts: keep your rules as they are." in studio.html
    test = [record.text for record in records if record.text in alone and record.split == "test"]
    assert test
    count = " and ".join(
        f"{number} {what if number == 1 else what + 's'}{more}"
        for number, what, more in (
            (len(test), "test text", ""),
            (len(alone) - len(test), "text", " that it was trained with"),
        )
        if number
    )
    assert f"The network predicts {count} correctly that your rules do not" in studio.html
    assert sum(text in studio.html for text in alone) == min(len(alone), 8)
    assert {"write rules", "train again"} <= {link.proto.label for link in studio.test.get("page_link")}
    assert "agreement with the network" in seen_as(studio, "Figures").html  # the other views are there


def test_thresholds_say_in_a_sentence_that_there_is_nothing_to_take(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It showed the best figure on dev, which the network had learned from, as a gain."""
    monkeypatch.setattr("pages._compare.reconstruction.thresholds.changes_in_order", lambda _: [])
    opened_with_a_change(studio, learnable, run)
    seen_as(studio, "Thresholds")
    studio.test.selectbox(key=f"compare_rule_{run.id}").set_value("much").run()
    studio.checked()
    assert "No change of a rule holds on other texts: keep your rules as they are." in studio.html
    assert not studio.test.select_slider
    studio.test.toggle(key=f"compare_threshold_look_{run.id}").set_value(True).run()
    studio.checked()
    assert studio.test.select_slider


def test_by_word_says_that_a_rule_is_unchanged(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    opened_with_a_change(studio, learnable, run)
    seen_as(studio, "By word")
    studio.test.selectbox(key=f"compare_rule_{run.id}").set_value("go").run()
    studio.checked()
    assert "go is unchanged: no change improved the rules on dev." in studio.html


@pytest.mark.usefixtures("no_change")
def test_without_such_a_text_nothing_is_listed(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._compare.review.no_change.records_of", lambda _: [])
    studio.open("compare", project=learnable.id)
    assert "No change of a rule holds on other texts" in studio.html
    assert "correctly that your rules do not" not in studio.html
