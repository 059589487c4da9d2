"""The page Fine-tune: each state of a run, its curve and figures, and the table of runs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.app.app_studio import Studio, small_project
from support.networks.small_system import RULES, small_corpus
from support.projects.finished_run import finished_run, learnable_project
from support.projects.finished_tagger_run import slot_project

from re2nn_core.services.annotation.classification import annotate
from re2nn_core.store import (
    ProjectRecord,
    Store,
    add_point,
    add_texts,
    claim_run,
    create_project,
    create_run,
    finish_run,
    get_run,
    heartbeat,
    latest_version,
    set_progress,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example

BEST = "best, out-of-fold 75.0%"


@pytest.fixture
def learnable(store: Store) -> ProjectRecord:
    return learnable_project(store)


def waiting(store: Store, project: ProjectRecord, **network: object) -> int:
    version = latest_version(store, project.id)
    config = {"network": network} if network else None
    return create_run(store, project.id, "train", rule_version_id=version.id, config=config).id


def add_curve(store: Store, run_id: int, dev: Sequence[float], **more: str) -> None:
    """A point for each of these dev accuracies."""
    for epoch, share in enumerate(dev):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": share, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run_id, epoch, {**point, **more})


def curve_names(studio: Studio) -> list[str]:
    """The legend of the run's curve."""
    return [line["name"] for line in json.loads(studio.test.get("plotly_chart")[0].proto.spec)["data"]]


def captions(studio: Studio) -> list[str]:
    return [caption.value for caption in studio.test.caption]


def test_a_run_at_work_shows_its_curve_and_can_be_cancelled(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    run_id = waiting(store, learnable, linear=True)
    for epoch, dev in enumerate((0.5, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0, "seconds": 2.0}
        add_point(store, run_id, epoch, point)
    assert claim_run(store, run_id, max_running=1, pid=1, host="elsewhere")
    set_progress(store, run_id, 1, 60, "epoch 1, best so far: epoch 1")
    studio.open("train", project=learnable.id)
    assert "Running: epoch 1, best so far: epoch 1." in studio.html
    assert "75.0%" in studio.html
    assert studio.test.get("plotly_chart")
    assert "at most 2 minutes left, then a linear layer" in studio.test.get("progress")[0].proto.text
    start = studio.test.button(key="train_start")
    assert start.disabled
    assert start.help == "A training of this project is running. Wait until it ends, or cancel it."
    studio.test.button(key="train_cancel").click().run()
    studio.checked()
    assert get_run(store, run_id).cancel_requested
    assert "Stopping after this step." in studio.html


@pytest.mark.parametrize("over", [False, True])
def test_a_run_at_work_names_its_dev_figures_as_a_finished_one_does(
    studio: Studio, learnable: ProjectRecord, store: Store, over: bool
) -> None:
    """Figures of one name alone can be compared."""
    run_id = waiting(store, learnable)
    add_curve(store, run_id, (0.5, 0.75), dev_name="out-of-fold")
    assert claim_run(store, run_id, max_running=1, pid=1, host="elsewhere")
    if over:
        finish_run(store, run_id, "cancelled")
    studio.open("train", project=learnable.id)
    assert "<b>50.0%</b> <span>out-of-fold, rules</span>" in studio.html
    assert "<b>75.0%</b> <span>out-of-fold, best (epoch 1)</span>" in studio.html
    assert "out-of-fold: the average over the labelled train and dev texts" in studio.html
    assert curve_names(studio) == ["train", "out-of-fold", "rules alone, out-of-fold 50.0%", BEST]


def test_figures_on_other_texts_have_an_interval(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    version = latest_version(store, learnable.id)
    run_id = create_run(store, learnable.id, "train", rule_version_id=version.id, config={}).id
    add_curve(store, run_id, (0.5, 0.75))
    pairs = [("out-of-fold", 0.75, 40), ("test", 0.9, 60), ("dev (also used for training)", 0.95, 20)]
    figures = [{"name": name, "untrained": 0.5, "trained": share, "texts": texts} for name, share, texts in pairs]
    result = {"best_epoch": 1, "epochs": 1, "dev": 0.75, "test": 0.9, "zero_shot": {"dev": 0.5, "test": 0.5}}
    finish_run(store, run_id, "done", result={**result, "figures": figures})
    studio.open("train", project=learnable.id)
    assert "<b>50.0%</b>" in studio.html
    assert "(35% to 65%) out-of-fold, 40 texts, rules" in studio.html
    assert "(60% to 86%) out-of-fold, best (epoch 1)" in studio.html
    assert "(80% to 95%) test, 60 texts" in studio.html
    assert "95% interval: where the figure lies on other texts of this kind" in studio.html


def test_f1_has_an_interval_where_the_run_noted_what_its_texts_are_worth(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    version = latest_version(store, project.id)
    run_id = create_run(store, project.id, "train", rule_version_id=version.id, config={}).id
    add_curve(store, run_id, (0.5, 0.75))
    pairs = [("dev", 0.75, 40, [30.0, 50.0]), ("test", 0.9, 60, None)]
    figures = [
        {"name": name, "untrained": 0.5, "trained": share, "texts": texts, "spans": spans}
        for name, share, texts, spans in pairs
    ]
    result = {"best_epoch": 1, "epochs": 1, "dev": 0.75, "test": 0.9, "zero_shot": {"dev": 0.5, "test": 0.5}}
    finish_run(store, run_id, "done", result={**result, "figures": figures})
    studio.open("train", project=project.id)
    assert "<b>50.0</b> <span>(33 to 67) F1 on dev, 40 texts, rules" in re.sub("<(/?)abbr[^>]*>", "", studio.html)
    assert "(62 to 85) F1 on dev, best (epoch 1)" in studio.html
    assert "<span>F1 on test, 60 texts" in studio.html  # of a run from before it was noted


def test_a_figure_that_is_not_that_of_the_curve_is_a_line_in_it_and_says_why(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    """The weight of the auxiliary encoder is chosen when the last epoch is over."""
    config = {"network": {"auxiliary": "rnn"}}
    version = latest_version(store, learnable.id)
    run_id = create_run(store, learnable.id, "train", rule_version_id=version.id, config=config).id
    add_curve(store, run_id, (0.5, 0.75))
    figures = [{"name": "out-of-fold", "untrained": 0.5, "trained": 0.8}]
    result = {"best_epoch": 1, "epochs": 1, "dev": 0.8, "zero_shot": {"dev": 0.5}, "figures": figures}
    finish_run(store, run_id, "done", result=result)
    studio.open("train", project=learnable.id)
    assert "<b>80.0%</b> <span>out-of-fold, trained network (epoch 1)</span>" in studio.html
    assert curve_names(studio)[-2:] == ["trained network, out-of-fold 80.0%", BEST]
    assert (
        "80.0% is with the weight of the auxiliary encoder chosen after training; the curve is measured with weight 1."
    ) in captions(studio)


def test_rules_that_are_kept_with_a_linear_layer_have_their_figure_and_no_epoch(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    """The curve, which rises, is of a network that is not kept, with an auxiliary encoder."""
    config = {"network": {"auxiliary": "lstm"}}
    version = latest_version(store, learnable.id)
    run_id = create_run(store, learnable.id, "train", rule_version_id=version.id, config=config).id
    add_curve(store, run_id, (0.5, 0.75))
    figures = [{"name": "out-of-fold", "untrained": 0.5, "trained": 0.8, "texts": 40}]
    result = {"best_epoch": 0, "epochs": 1, "dev": 0.8, "zero_shot": {"dev": 0.5}, "linear_weight": 4.0}
    finish_run(store, run_id, "done", result={**result, "figures": figures})
    studio.open("train", project=learnable.id)
    assert "Your rules with a linear layer are kept" in studio.html
    assert "out-of-fold, with the linear layer" in studio.html
    assert "+30.0 points" in studio.html
    across = ["rules alone, out-of-fold 50.0%", "with the linear layer, out-of-fold 80.0%"]
    assert curve_names(studio) == ["train", "out-of-fold", *across]
    assert "80.0% is of your rules with the linear layer; the epochs are of the network without it." in captions(studio)


def test_a_run_says_which_other_one_is_better_on_the_same_texts(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    """The network for highest accuracy was less accurate than the interpretable one, and nothing said so."""
    for dev in (0.875, 0.824):
        run_id = waiting(store, learnable)
        add_curve(store, run_id, (0.5, dev))
        figures = [{"name": "out-of-fold", "untrained": 0.5, "trained": dev, "texts": 40}]
        result = {"best_epoch": 1, "epochs": 1, "dev": dev, "zero_shot": {"dev": 0.5}, "figures": figures}
        finish_run(store, run_id, "done", result=result)
    studio.open("train", project=learnable.id)
    assert "<div>Run 1 has a higher out-of-fold accuracy: 87.5%; this run 82.4%.</div>" in studio.html
    studio.test.session_state["train_run"] = run_id - 1
    studio.test.run()
    assert "has a higher" not in studio.html


def test_a_run_that_was_cancelled_before_its_first_epoch_has_no_curve(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    run_id = waiting(store, learnable)
    add_curve(store, run_id, (0.5,))
    finish_run(store, run_id, "cancelled")
    studio.open("train", project=learnable.id)
    assert "Cancelled before its first epoch." in studio.html
    assert not [chart for chart in studio.test.get("plotly_chart") if "rules alone" in chart.proto.spec]


def test_a_training_of_no_epoch_has_a_figure_and_no_curve(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    """Where a linear layer and an auxiliary encoder are chosen, one after the other, the network is not trained."""
    run_id = waiting(store, learnable)
    add_curve(store, run_id, (0.5,), dev_name="out-of-fold")
    figures = [{"name": "out-of-fold", "untrained": 0.5, "trained": 0.8, "texts": 40}]
    result = {"best_epoch": 0, "epochs": 0, "dev": 0.8, "zero_shot": {"dev": 0.5}, "linear_weight": 0.5}
    finish_run(store, run_id, "done", result={**result, "figures": figures})
    studio.open("train", project=learnable.id)
    assert "<b>80.0%</b>" in studio.html
    assert not [chart for chart in studio.test.get("plotly_chart") if "rules alone" in chart.proto.spec]
    assert not [said for said in captions(studio) if "the curve is" in said]


def test_the_words_of_each_label_are_folded_and_other_notes_are_not(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    run_id = waiting(store, learnable)
    add_curve(store, run_id, (0.5, 0.75))
    result = {"best_epoch": 1, "epochs": 1, "dev": 0.75, "notes": ["Few texts."]}
    words = {"fare": ["price", "much"], "seat": ["chair"]}
    finish_run(store, run_id, "done", result={**result, "strongest_words": words})
    studio.open("train", project=learnable.id)
    assert "<summary>Words with the largest weights</summary><div>fare: price, much; seat: chair</div>" in studio.html
    assert [said for said in captions(studio) if "Few texts" in said]
    assert not [said for said in captions(studio) if "largest weights" in said]


def test_how_long_a_training_takes_is_told_by_one_that_ended(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    run_id = waiting(store, learnable)
    assert claim_run(store, run_id, max_running=1, pid=1, host="elsewhere")
    finish_run(store, run_id, "cancelled")
    studio.open("train", project=learnable.id)
    assert "The last run took" not in studio.html


def test_what_predicts_is_named_until_the_trained_network_does(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    finished_run(store, learnable)
    studio.open("train", project=learnable.id)
    assert studio.test.button(key="train_answers").label == "Use this model (now: rules)"
    assert not studio.test.button(key="train_start").disabled
    studio.test.button(key="train_answers").click().run()
    studio.checked()
    assert "Predict and Label use this model." in studio.html


def test_a_figure_that_is_that_of_the_curve_needs_no_word(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    finished_run(store, learnable)
    studio.open("train", project=learnable.id)
    assert not [said for said in captions(studio) if "the curve is measured" in said]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("cancelled", "Cancelled before its first epoch."),
        ("lost", "The process of this training ended unexpectedly"),
        ("failed", "All 12 texts carry one label"),
    ],
)
def test_each_end_of_a_run_is_told(
    studio: Studio, learnable: ProjectRecord, store: Store, state: str, words: str
) -> None:
    run_id = waiting(store, learnable)
    heartbeat(store, run_id)
    finish_run(store, run_id, state, error="All 12 texts carry one label")
    studio.open("train", project=learnable.id)
    assert words in studio.html


def test_a_finished_run_shows_what_it_gets_right(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = finished_run(store, learnable)
    studio.open("train", project=learnable.id)
    assert f"{run.result['dev']:.1%}" in studio.html
    assert "F1, rules" in studio.html
    [grid] = studio.test.dataframe
    assert list(grid.value["state"]) == ["done"]
    assert len(studio.test.get("plotly_chart")) == 2
    assert list(grid.value["texts"]) == ["48"]
    split = studio.test.segmented_control(key="train_split_turns")
    assert split.value == "test"
    caution = "were used for training; figures of held-out texts are at the top of the run and under test."
    assert caution not in studio.html
    assert "Held-out texts." in studio.html
    for learned in ("train", "dev"):
        split.set_value(learned).run()
        assert caution in studio.html
        assert "Held-out texts" not in studio.html
    studio.test.segmented_control(key="train_whose").set_value("Rules").run()
    studio.checked()


def test_a_matrix_of_more_labels_than_have_room_holds_those_that_are_confused_most(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished_run(store, learnable)
    said = "of 2 labels that are confused most."
    studio.open("train", project=learnable.id)
    assert said not in " ".join(captions(studio))
    monkeypatch.setattr("pages._train.figures._IN_MATRIX", 1)
    studio.open("train", project=learnable.id)
    assert f"The 1 {said}" in " ".join(captions(studio))
    matrix = json.loads(studio.test.get("plotly_chart")[-1].proto.spec)
    assert len(matrix["layout"]["xaxis"]["ticktext"]) == 1


def test_a_run_that_dev_decided_opens_on_dev(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    finished_run(store, learnable, train={"copies": 1, "epochs": 2})
    studio.open("train", project=learnable.id)
    split = studio.test.segmented_control(key="train_split")
    assert split.value == "dev"
    assert "Held-out texts; they decided when training stopped and what of it was kept." in studio.html
    split.set_value("train").run()
    assert "These texts were used for training." in studio.html
    split.set_value("test").run()
    assert "Held-out texts." in studio.html


def test_a_finished_run_leads_on(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = finished_run(store, learnable)
    assert run.result["best_epoch"] > 0
    studio.open("train", project=learnable.id)
    assert "Compare with the rules" in [link.proto.label for link in studio.test.get("page_link")]
    studio.test.button(key="train_answers").click().run()
    studio.checked()
    assert f"run:{run.id}" in studio.test.query_params["model"]
    assert "Predict and Label use this model." in studio.html


def test_a_training_that_changed_nothing_says_so(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run_id = waiting(store, learnable)
    for epoch, dev in enumerate((0.75, 0.75)):
        point = {"epoch": epoch, "loss": 1.0, "train": 0.6, "dev": dev, "dev_loss": 1.0 - epoch / 2, "seconds": 2.0}
        add_point(store, run_id, epoch, point)
    result = {"best_epoch": 0, "epochs": 1, "dev": 0.75, "test": 0.5, "zero_shot": {"dev": 0.75, "test": 0.5}}
    finish_run(store, run_id, "done", result=result)
    studio.open("train", project=learnable.id)
    assert "Your rules are kept: held-out texts do not show that the trained network is better. Label" in studio.html
    assert "<b>50.0%</b> <span>test, rules</span>" in studio.html
    assert "dev, best" not in studio.html
    assert not [button for button in studio.test.button if button.key == "train_answers"]
    assert links(studio) == ["Next\\: write rules for missed texts", "Write rules for missed texts"], "none is left"
    first, second, third = (text.id for text in texts_of(store, learnable.id)[:3])
    for text_id, labels in ((first, ("a", "b")), (second, ("a", "b")), (third, ("a", "a"))):
        for person, label in zip(("Ann", "Bob"), labels, strict=True):
            annotate(store, text_id, label, person)
    studio.open("train", project=learnable.id)
    assert links(studio)[1:] == ["Annotators disagree on 2 texts: review them", "Write rules for missed texts"]
    add_texts(store, learnable.id, Corpus((Example("where to", None),)), person="Ann")
    studio.open("train", project=learnable.id)
    assert links(studio)[-1] == "Label more texts"


def test_where_the_rules_miss_nothing_texts_are_to_be_added(
    studio: Studio, learnable: ProjectRecord, store: Store
) -> None:
    """It led to the texts that rules miss, of which there were none."""
    run_id = waiting(store, learnable)
    result = {"best_epoch": 0, "epochs": 1, "dev": 1.0, "zero_shot": {"dev": 1.0, "test": None}}
    finish_run(store, run_id, "done", result=result)
    studio.open("train", project=learnable.id)
    assert links(studio) == ["Next\\: add texts", "Add texts"]


def links(studio: Studio) -> list[str]:
    return [link.proto.label for link in studio.test.get("page_link") if "text" in link.proto.label]


def test_a_lost_run_names_what_its_button_does(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = waiting(store, learnable)
    finish_run(store, run_id, "lost")
    studio.open("train", project=learnable.id)
    assert "computer was restarted or a disk was full. Start a new run." in studio.html
    monkeypatch.setattr("pages._train.live.can_resume_run", lambda *_: True)
    studio.test.run()
    assert "Its checkpoint is kept: continue from there." in studio.html
    assert studio.test.button(key="train_go_on").label == "Resume from epoch 0"


def test_texts_held_out_are_counted_among_those_to_learn_from(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = tuple(replace(example, split=None) for example in small_corpus().examples[:20])
    made = create_project(
        store, name="Unsplit", examples=Corpus(examples), rules_text=RULES, logic_text="", author="tester"
    )
    studio.open("train", project=made.id)
    assert re.search(r"<b>20</b> <span><abbr[^>]*>training texts, cross-validated</abbr>", studio.html)
    monkeypatch.setattr("re2nn_core.services.fine_tuning.training_plan.TINY_DEV", 1)
    studio.test.run()
    assert "<b>20</b> <span>training texts</span>" in studio.html
    assert "held-out texts to choose the epoch" not in studio.html  # the training plan says how many, by objective


def test_runs_are_numbered_within_their_project(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    waiting(store, learnable)
    other = small_project(store)
    assert waiting(store, other) == 2
    studio.open("train", project=other.id)
    assert "Run 1</b>" in studio.html
    assert list(studio.test.dataframe[0].value["run"]) == ["▸ 1"]


def test_the_table_follows_runs_that_are_not_looked_at(
    studio: Studio, learnable: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = waiting(store, learnable), waiting(store, learnable)
    asked: list[dict[int, str]] = []

    def moved_on(_: Store, seen: dict[int, str]) -> bool:
        asked.append(dict(seen))
        if len(asked) == 1:
            finish_run(store, first, "cancelled")
        return len(asked) == 1

    monkeypatch.setattr("pages._train.runs_table.has_moved_on", moved_on)
    studio.open("train", project=learnable.id)
    assert asked == [{first: "queued"}]
    assert list(studio.test.dataframe[0].value["run"]) == ["▸ 2", "1"]
    assert list(studio.test.dataframe[0].value["state"]) == ["waiting", "cancelled"]


def test_a_damaged_network_is_a_message(studio: Studio, learnable: ProjectRecord, store: Store) -> None:
    run = finished_run(store, learnable)
    (run.folder / "bundle.json").write_text("{", encoding="utf-8")
    studio.open("train", project=learnable.id)
    assert f"The network of run {run.id} is missing or damaged" in studio.messages.replace("\\", "")
