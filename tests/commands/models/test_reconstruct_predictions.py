"""re2nn reconstruct from predictions: rules that predict what a model predicts, without its weights."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import LOGIC, RULES, Call, Outcome
from support.networks.explained import as_trained

from re2nn_core.commands._common import watching
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.services.fine_tuning.classification import learned_predictions
from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize, SplitFidelity
from re2nn_core.services.rule_reconstruction.classification.from_predictions import FoundRules, PredictedRules
from re2nn_core.services.rule_review.classification.figures_of_predicted import in_words

PREDICTED = {
    "flight": ("a plane to rome", "the plane is late", "which plane is it", "any plane at noon"),
    "fare": ("the price of it", "is the price fair", "which price is it", "any price at noon"),
}


def rows(texts: Mapping[str, tuple[str, ...]], split: str = "") -> str:
    return "".join(f"{label}\t{text}{split}\n" for label, own in texts.items() for text in own)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Texts without a label but in test, and predictions of a model for all of them."""
    train = [text for own in PREDICTED.values() for text in own]
    test = [("fare", "a new price"), ("flight", "a new plane"), ("flight", "nothing of it")]
    lines = ["label\ttext\tsplit", *(f"\t{t} today\ttrain" for t in train), *(f"\t{t}\ttrain" for t in train)]
    (tmp_path / "texts.tsv").write_text("\n".join([*lines, *(f"{a}\t{t}\ttest" for a, t in test)]) + "\n")
    both = {label: (*own, *(f"{text} today" for text in own)) for label, own in PREDICTED.items()}
    tested = {"fare": ("a new price",), "flight": ("a new plane",)}
    (tmp_path / "predictions.tsv").write_text("label\ttext\n" + rows(both) + rows(tested) + "fare\tnothing of it\n")
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "logic.toml").write_text(LOGIC)
    save_bundle(tmp_path / "model", as_trained())
    return tmp_path


def test_rules_of_predictions_are_measured_on_texts_that_the_search_did_not_see(folder: Path, re2nn: Call) -> None:
    given = (
        "--predictions",
        folder / "predictions.tsv",
        "--data",
        folder / "texts.tsv",
        "-o",
        folder / "new.txt",
        "--overwrite",
    )
    found = re2nn("reconstruct", *given, "--json").data
    assert (found["learned_from"], [one["label"] for one in found["new_rules"]]) == (16, ["flight", "fare"])
    test = found["splits"]["test"]
    assert (test["texts"], test["accuracy"], test["model"]) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found["splits"]["train"]["fidelity"] == 1.0
    assert found["splits"]["train"]["accuracy"] is None
    evaluated = re2nn(
        "evaluate", "--rules", folder / "new.txt", "--logic", folder / "new.logic.toml", "--data", folder / "texts.tsv",
        "--split", "test", "--json",
    ).data  # fmt: skip
    assert evaluated["rules"]["accuracy"] == pytest.approx(test["accuracy"])


def test_fewer_words_are_the_rules_found_first_and_the_curve_has_every_size(folder: Path, re2nn: Call) -> None:
    given = (
        "--predictions",
        folder / "predictions.tsv",
        "--data",
        folder / "texts.tsv",
        "-o",
        folder / "new.txt",
        "--overwrite",
    )
    found = re2nn("reconstruct", *given, "--most-words", "1", "--json").data
    assert [size["counts"]["new"] for size in found["curve"]] == list(range(len(found["curve"])))
    assert found["counts"]["words"] <= 1
    assert found["counts"]["new"] < len(found["curve"]) - 1


def test_written_rules_are_added_to(folder: Path, re2nn: Call) -> None:
    found = re2nn(
        "reconstruct", "--predictions", folder / "predictions.tsv", "--rules", folder / "rules.txt", "--logic",
        folder / "logic.toml", "--data", folder / "texts.tsv", "-o", folder / "new.txt", "--json",
    ).data  # fmt: skip
    written = (folder / "new.txt").read_text()
    assert "any_flight := $* flights $*" in written
    assert found["splits"]["test"]["fidelity"] > found["curve"][0]["splits"]["test"]["fidelity"]


def test_a_model_is_asked_for_its_predictions(folder: Path, re2nn: Call) -> None:
    outcome = re2nn(
        "reconstruct", "--model", folder / "model", "--from-predictions", "--data", folder / "texts.tsv", "-o",
        folder / "new.txt",
    )  # fmt: skip
    assert outcome.code == 0
    assert "test fidelity" in outcome.out
    assert "16 texts" in outcome.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--predictions", "others.tsv"], "has no prediction for any of the 19 texts"),
        (["--from-predictions"], "--from-predictions asks a model. Write --model DIR too"),
        (["--rules", "rules.txt"], "--rules: this is for rules found from predictions"),
        ([], "There is nothing to reconstruct. Write --model DIR, or --predictions FILE."),
        (["--predictions", "others.tsv", "--split", "dev"], "--split: this has no effect on rules found from"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, re2nn: Call, options: list[str], message: str) -> None:
    (folder / "others.tsv").write_text("label\ttext\nfare\tsomething else\nflight\tand more\n")
    paths = [folder / one if one.endswith(".tsv") else one for one in options]
    outcome = re2nn("reconstruct", *paths, "--data", folder / "texts.tsv", "-o", folder / "new.txt", "--overwrite")
    assert outcome.code != 0
    assert message in outcome.err
    assert not (folder / "new.txt").exists()


def reconstructed(folder: Path, re2nn: Call, predictions: str, *options: object) -> Outcome:
    """The outcome for a file of predictions, beside the texts of the folder."""
    (folder / "given.tsv").write_text(predictions)
    given = (
        "--predictions",
        folder / "given.tsv",
        "--data",
        folder / "texts.tsv",
        "-o",
        folder / "new.txt",
        "--overwrite",
    )
    return re2nn("reconstruct", *given, *options)


RULES_GIVEN = ("--rules", "rules.txt", "--logic", "logic.toml")


def with_rules(folder: Path) -> list[object]:
    return [folder / one if one.endswith(("txt", "toml")) else one for one in RULES_GIVEN]


def test_labels_that_the_rules_lack_are_said(folder: Path, re2nn: Call) -> None:
    given = (folder / "predictions.tsv").read_text().replace("fare\t", "fares\t", 3)
    outcome = reconstructed(folder, re2nn, given, *with_rules(folder))
    assert outcome.code == 0
    told = "given.tsv: the label 'fares' (3 texts) is none that the rules can give; new rules may. Did you mean 'fare'?"
    assert told in outcome.err


@pytest.mark.parametrize(
    ("written", "options", "message"),
    [
        (
            "fare\ta\nflight\tb\n",
            [],
            "No rule was found in the predictions of 2 texts: no word or phrase distinguishes",
        ),
        (rows(PREDICTED), ["--most-words", "0"], "names 1 word; at most 0 were allowed. Allow more words."),
        (rows(PREDICTED), ["--most-seconds", "0.000001"], "No rule was found in the time that was given. Give more"),
    ],
)
def test_a_file_without_a_rule_is_not_written(
    folder: Path, re2nn: Call, written: str, options: list[str], message: str
) -> None:
    (folder / "some.tsv").write_text(f"label\ttext\n{written}")
    outcome = re2nn("reconstruct", "--predictions", folder / "some.tsv", "-o", folder / "new.txt", *options)
    assert (outcome.code, message in outcome.err) == (2, True), outcome.err
    assert not (folder / "new.txt").exists()
    own = ("--rules", folder / "rules.txt", "--logic", folder / "logic.toml")
    assert (
        re2nn("reconstruct", "--predictions", folder / "some.tsv", *own, "-o", folder / "new.txt", *options).code == 0
    )


def test_where_no_rule_was_found_none_is_offered_in_a_smaller_set(folder: Path, re2nn: Call) -> None:
    (folder / "some.tsv").write_text("label\ttext\nfare\ta\nflight\tb\n")
    given = ("--predictions", folder / "some.tsv", "--rules", folder / "rules.txt", "-o", folder / "new.txt")
    outcome = re2nn("reconstruct", *given)
    assert "\nNo new rule was found from the predictions of " in outcome.out
    assert "decided how many" not in outcome.out
    assert "--most-words" not in outcome.out


def test_a_teacher_without_any_label_of_the_rules_is_refused(folder: Path, re2nn: Call) -> None:
    given = (folder / "predictions.tsv").read_text().replace("fare\t", "FARE\t").replace("flight\t", "FLIGHT\t")
    outcome = reconstructed(folder, re2nn, given, *with_rules(folder))
    assert outcome.code == 2
    assert "None of the labels in" in outcome.err
    assert "there it is FLIGHT, FARE, in the rules flight, fare" in outcome.err
    assert "Is 'FARE' meant to be 'fare'?" in outcome.err
    assert "leave out --rules and --model to find rules for these labels alone." in outcome.err
    assert not (folder / "new.txt").exists()


def test_texts_with_several_predictions_are_left_out_and_said(folder: Path, re2nn: Call) -> None:
    given = (folder / "predictions.tsv").read_text() + "flight\ta new price\n"
    outcome = reconstructed(folder, re2nn, given)
    assert "given.tsv: 1 text with several predictions left out:\n" in outcome.err
    assert "\n  lines 18 and 21: 'a new price' is fare, flight\n" in outcome.err
    every = "label\ttext\n" + "".join(f"{label}\ta new price\n" for label in ("fare", "flight"))
    refused = reconstructed(folder, re2nn, every)
    assert refused.code == 2
    assert "each text has several predictions. Give one prediction a text." in refused.err
    assert "lines 2 and 3: 'a new price' is fare, flight" in refused.err


def test_a_column_of_predictions_is_taken_before_one_of_labels(folder: Path, re2nn: Call) -> None:
    lines = (folder / "predictions.tsv").read_text().splitlines()[1:]
    both = "label\tpredicted\ttext\n" + "".join(f"other\t{line}\n" for line in lines)
    found = reconstructed(folder, re2nn, both, "--json").data
    assert {one["label"] for one in found["new_rules"]} == {"flight", "fare"}
    asked = reconstructed(folder, re2nn, both.replace("predicted", "second"), "--prediction-column", "second", "--json")
    assert {one["label"] for one in asked.data["new_rules"]} == {"flight", "fare"}


def test_an_empty_column_of_predictions_is_named(folder: Path, re2nn: Call) -> None:
    empty = "label\ttext\n" + "".join(f"\ttext {number} of some\n" for number in range(9))
    outcome = reconstructed(folder, re2nn, empty)
    assert outcome.code == 2
    assert "'given.tsv': its column 'label' is empty, and labels are needed." in outcome.err
    assert "Fill it, or name another (--prediction-column)." in outcome.err
    without = reconstructed(folder, re2nn, "id\tlabel\n" + "".join(f"{n}\tfare\n{n}\tflight\n" for n in range(9)))
    assert "no column looks like texts, so 'label' was read as texts" in without.err
    assert "Add a column 'text', or name it with --text-column." in without.err


def test_texts_that_differ_in_capitals_or_blanks_alone_are_said(folder: Path, re2nn: Call) -> None:
    given = (folder / "predictions.tsv").read_text()
    outcome = reconstructed(folder, re2nn, given.replace("a new price", "A new  price"))
    assert "1 text of 19 without a prediction left out, 1 of them because of capitals or blanks alone" in outcome.err
    assert "1 other text used as texts without a label." in outcome.err
    every = reconstructed(folder, re2nn, "\n".join(["label\ttext", *given.upper().splitlines()[1:]]))
    assert every.code == 2
    assert "19 texts differ from one in it in capitals or blanks alone" in every.err


def test_figures_have_an_interval_and_say_what_would_decide(folder: Path, re2nn: Call) -> None:
    outcome = reconstructed(folder, re2nn, (folder / "predictions.tsv").read_text())
    assert "Test: fidelity 67% (95% interval 21% to 94%), accuracy 67% (21% to 94%); " in outcome.out
    assert "the new rules fix 2 and break 0 of 3 labelled texts" in outcome.out


@pytest.mark.parametrize(
    ("fixed", "broken", "meaning"),
    [
        (1, 12, "Warning: accuracy falls, statistically significantly (sign test)"),
        (3, 0, "At this rate, about 80 more annotated texts would decide whether they gain."),
        (2, 1, "more than 1,000 more annotated texts would be needed to decide whether they gain."),
        (9, 1, "the new rules fix 9 and break 1 of 120 labelled texts."),
    ],
)
def test_moved_predictions_are_judged(fixed: int, broken: int, meaning: str) -> None:
    test = SplitFidelity(120, 0.5, 0.4, 0.6, 120, fixed, broken)
    (told,) = in_words(RulesOfSize(3, 9, {"train": test, "test": test}))
    assert meaning in told


def test_a_column_of_predictions_needs_a_file(folder: Path, re2nn: Call) -> None:
    given = ("--model", folder / "model", "--data", folder / "texts.tsv", "-o", folder / "new.txt", "--overwrite")
    asked = ("--prediction-column", "guess")
    outcome = re2nn("reconstruct", *given, *asked, "--from-predictions")
    assert "--prediction-column is for a file. Write --predictions FILE too, or leave it out." in outcome.err
    assert "--prediction-column: this is for rules found from predictions." in re2nn("reconstruct", *given, *asked).err


def test_a_search_ends_when_its_time_is_spent_and_says_so(
    folder: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count()  # the first question is asked at 2, the second at 3
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(seconds))
    given = (
        "--predictions",
        folder / "predictions.tsv",
        "--data",
        folder / "texts.tsv",
        "-o",
        folder / "new.txt",
        "--overwrite",
    )
    outcome = re2nn("reconstruct", *given, "--most-seconds", "3")
    told = "Stopped after 3 s; the rules found by then are kept. Give more time with --most-seconds."
    assert told in outcome.out
    assert "plane" in (folder / "new.txt").read_text()
    assert re2nn("reconstruct", *given, "--rules", folder / "rules.txt", "--most-seconds", "1", "--json").data[
        "stopped"
    ]
    assert not re2nn("reconstruct", *given, "--most-seconds", "1000", "--json").data["stopped"]
    assert "0.0 is not in the range x>0" in re2nn("reconstruct", *given, "--most-seconds", "0").err


@pytest.mark.parametrize(
    ("fidelity", "kept", "told"),
    [
        (
            1.0,
            True,
            "1 written rule changed). With it more dev texts get the model's prediction, so it is kept. Choose",
        ),
        (0.0, False, "but its rules agree no more with the model on dev texts, so they are left out. Choose"),
    ],
    ids=["kept", "left out"],
)
def test_it_is_said_what_a_network_of_the_found_rules_added(
    folder: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch, fidelity: float, kept: bool, told: str
) -> None:
    texts = [
        f"{label}\t{text} {n}\t{'dev' if n == 0 else 'train'}"
        for n in range(16)
        for label, own in PREDICTED.items()
        for text in own
    ]
    (folder / "many.tsv").write_text("\n".join(["predicted\ttext\tsplit", *texts]) + "\n")

    def learned(found: FoundRules, first: PredictedRules, *_: object) -> PredictedRules:
        dev = replace(first.chosen.splits["dev"], fidelity=fidelity)
        size = replace(first.chosen, splits={**first.chosen.splits, "dev": dev})
        rules = found.within(None)  # as if the network had these
        return replace(rules, curve=(*first.curve, size), chosen=size, changed=("asked",), by_network=True)

    monkeypatch.setattr(learned_predictions, "_learned", learned)
    given = (
        "--predictions",
        folder / "many.tsv",
        "--data",
        folder / "many.tsv",
        "-o",
        folder / "new.txt",
        "--overwrite",
    )
    assert told in " ".join(re2nn("reconstruct", *given, "--most-words", "1").out.split())
    found = re2nn("reconstruct", *given, "--most-words", "1", "--json").data
    assert (found["by_network"], found["changed_rules"]) == (kept, ["asked"] if kept else [])
