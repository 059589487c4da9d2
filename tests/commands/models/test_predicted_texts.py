"""re2nn reconstruct from predictions: which texts count, which are measured, and what they are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call, Outcome

RULES = "[fare]\nprice := $* price $*\n\n[flight]\nplane := $* plane $*\n"
HEAD = "text\tpredicted\tsplit\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.txt").write_text(RULES)
    return tmp_path


def reconstructed(folder: Path, re2nn: Call, rows: list[tuple[str, str, str]], *options: object) -> Outcome:
    """What comes of predictions alone: rows of a text, its prediction and its split."""
    (folder / "given.tsv").write_text(HEAD + "".join("\t".join(row) + "\n" for row in rows))
    given = ("--predictions", folder / "given.tsv", "-o", folder / "new.txt", "--overwrite")
    return re2nn("reconstruct", *given, *options)


def some(split: str = "", numbers: range = range(10)) -> list[tuple[str, str, str]]:
    """Texts of two labels, each with a word that tells its label."""
    words = (("cost", "fare"), ("wing", "flight"))
    return [(f"the {word} {number}x", label, split) for number in numbers for word, label in words]


def test_the_first_row_has_the_given_rules_without_the_priorities_that_were_found(folder: Path, re2nn: Call) -> None:
    both = [(f"price of the plane {n}x", "flight", "train") for n in range(20)]
    rows = [*both, *some("train"), *((text.replace("x", "y"), label, "test") for text, label, _ in both)]
    given = ("--rules", folder / "rules.txt")
    found = reconstructed(folder, re2nn, rows, *given, "--json").data
    assert "flight > fare" in (folder / "new.logic.toml").read_text()
    first, *_, last = found["curve"]
    assert first["splits"]["test"]["fidelity"] == 0  # both rules match, and fare comes first
    assert last["splits"]["test"]["fidelity"] == 1
    shown = reconstructed(folder, re2nn, rows, *given).out.splitlines()
    assert [line.split("  ")[0] for line in shown if line.startswith("0")] == ["0 (as given)"]
    assert sum("(in the file)" in line for line in shown) == 1
    assert "as given" not in reconstructed(folder, re2nn, rows).out


def test_a_text_given_twice_with_the_same_prediction_counts_once(folder: Path, re2nn: Call) -> None:
    once, twice = some(), [*some(), *some()[:3]]
    outcome = reconstructed(folder, re2nn, twice, "--json")
    assert "given.tsv: 3 rows repeat a text with the same prediction; each text counts once." in outcome.err
    assert outcome.data == reconstructed(folder, re2nn, once, "--json").data
    assert "repeat" not in reconstructed(folder, re2nn, once).err
    alone = reconstructed(folder, re2nn, [*once, (once[0][0], "", "")])  # a row without a prediction
    assert "given.tsv: 1 row repeats a text" in alone.err


def test_texts_with_two_predictions_are_named_by_their_rows(folder: Path, re2nn: Call) -> None:
    other = {"fare": "flight", "flight": "fare"}
    unlike = [*some(numbers=range(40)), *((text, other[label], "") for text, label, _ in some(numbers=range(6)))]
    outcome = reconstructed(folder, re2nn, unlike)
    assert "given.tsv: 12 texts with several predictions left out:" in outcome.err
    assert outcome.err.count("  lines ") == 10
    assert "\n  lines 2 and 82: 'the cost 0x' is fare, flight\n" in outcome.err
    assert "\n  and 2 more such texts; write --all-faults to see each\n" in outcome.err
    every = reconstructed(folder, re2nn, unlike, "--all-faults")
    assert every.err.count("  lines ") == 12


def test_test_texts_that_are_among_the_train_texts_are_counted_and_not_measured(folder: Path, re2nn: Call) -> None:
    repeated = [(text.replace("the", "The"), label, "test") for text, label, _ in some()[:3]]  # the same words
    rows = [*some("train"), *some("test", range(10, 14)), *repeated]
    found = reconstructed(folder, re2nn, rows, "--json").data
    assert (found["splits"]["test"]["texts"], found["repeated"]) == (8, {"test": 3})
    outcome = reconstructed(folder, re2nn, rows)
    told = "Not measured, because these texts are among those that the rules were found from: 3 of test."
    assert told in outcome.out
    without = reconstructed(folder, re2nn, rows[: -len(repeated)])
    assert "Not measured" not in without.out


def test_a_split_of_which_all_texts_are_repeated_has_no_figures(folder: Path, re2nn: Call) -> None:
    rows = [*some("train"), *((text, label, "test") for text, label, _ in some()[:3])]
    outcome = reconstructed(folder, re2nn, rows)
    assert outcome.code == 0
    assert "test fidelity" not in outcome.out
    assert "were found from: 3 of test." in outcome.out


def test_every_fifth_text_is_not_called_dev(folder: Path, re2nn: Call) -> None:
    outcome = reconstructed(folder, re2nn, some())
    assert "held-out fidelity" in outcome.out
    assert "There are no dev or test texts: every fifth text is held-out." in outcome.out
    assert "held-out texts decided how many of the rules are written." in outcome.out
    assert "the held-out texts took no part." in reconstructed(folder, re2nn, some(), "--most-words", "9").out
    assert "Held-out: fidelity 100% (95% interval " in outcome.out
    assert "dev " not in outcome.out.replace("no dev or test", "")
    assert set(reconstructed(folder, re2nn, some(), "--json").data["splits"]) == {"train", "held_out"}
    own = reconstructed(folder, re2nn, [*some("train"), *some("dev", range(10, 12))])
    assert "held-out" not in own.out


def several() -> list[tuple[str, str, str]]:
    """The same of four labels, of which no text that decides has the last one."""
    seats = [(f"the chair {number}x", "seat", "train" if number < 10 else "dev") for number in range(14)]
    rare = [(f"the zebra {number}x", "zoo", "train") for number in range(8)]
    return [*some("train"), *seats, *rare, *some("dev", range(10, 14))]


def test_no_more_words_are_written_than_agree_with_more_of_the_texts_that_decide(folder: Path, re2nn: Call) -> None:
    """Rules with many more words were written that gave no further text the model's prediction."""
    rows = [*several(), *some("test", range(20, 24))]
    outcome = reconstructed(folder, re2nn, rows)
    assert "zebra" not in (folder / "new.txt").read_text()
    assert "dev texts decided how many of the rules are written; test took no part." in outcome.out
    assert "All 4 rules that were found, with 4 words, agree no more with the model on dev texts" in outcome.out
    assert "Ask for more with --most-words." in outcome.out
    every = reconstructed(folder, re2nn, rows, "--most-words", "4")
    assert "zebra" in (folder / "new.txt").read_text()
    assert "dev and test took no part. Choose a smaller set" in every.out


def test_the_sizes_are_in_the_order_of_their_words(folder: Path, re2nn: Call) -> None:
    """The one in the file was the last one, whatever its words, and was there twice."""
    shown = reconstructed(folder, re2nn, several(), "--most-words", "3").out.split("\n\n")[0].splitlines()
    cells = [[cell for cell in line.split("  ") if cell] for line in shown if line[0].isdigit()]
    assert [name.strip() for name, *_ in cells] == ["0", "1", "2", "3 (in the file)", "4"]
    assert [int(words) for _, words, *_ in cells] == [0, 1, 2, 3, 4]


def test_too_few_predictions_are_warned_of(folder: Path, re2nn: Call) -> None:
    told = (
        "Predictions of 16 texts are too few for rules that hold on new texts. Give predictions of at least 100 texts; "
        "the texts need no labels."
    )
    assert f"Warning: {told}" in reconstructed(folder, re2nn, some()).out
    assert reconstructed(folder, re2nn, some(), "--json").data["warnings"] == [told]
    enough = reconstructed(folder, re2nn, some(numbers=range(50)), "--json")
    assert (enough.data["learned_from"], enough.data["warnings"]) == (80, [])


def test_what_the_label_logic_gained_is_said(folder: Path, re2nn: Call) -> None:
    """A priority was written without a word."""
    rows = [*((f"price of the plane {n}x", "flight", "train") for n in range(20)), *some("train")]
    given = ("--rules", folder / "rules.txt")
    assert "The label logic gained priorities flight > fare" in reconstructed(folder, re2nn, rows, *given).out
    found = reconstructed(folder, re2nn, rows, *given, "--json").data
    assert (found["new_priorities"], found["new_default"]) == (["flight > fare"], None)
    nothing = reconstructed(folder, re2nn, rows, *given, "--logic", folder / "new.logic.toml", "-o", folder / "2.txt")
    assert "gained" not in nothing.out


def test_the_search_reports_how_far_it_is(folder: Path, re2nn: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "finding rules" not in reconstructed(folder, re2nn, some()).err  # it is over before anybody waits
    monkeypatch.setattr("re2nn_core.commands._common.watching._SOON", 0)
    lines = [line for line in reconstructed(folder, re2nn, some()).err.splitlines() if line.startswith("finding rules")]
    assert lines[-1] == "finding rules: 100%"


def test_the_first_sentence_of_the_help_has_all_that_is_read(re2nn: Call) -> None:
    (first, *_) = re2nn("reconstruct", "--help").out.split("\n\n")[1].split("\n\n")
    told = "Reconstruct rules from a trained network, or from what a baseline or any other model predicts."
    assert " ".join(first.split()) == told
