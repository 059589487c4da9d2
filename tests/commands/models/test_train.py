"""re2nn train and reconstruct: a small model, trained once, used and read back."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.command_line import LOGIC, RULES, TEXTS, Call, Outcome
from support.networks.explained import as_trained

import re2nn_core as re2nn_api
from re2nn_core.cli import main
from re2nn_core.commands._common.watching import stop_on_interrupt
from re2nn_core.commands.models import train as command
from re2nn_core.errors import Cancelled
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.services.fine_tuning.classification import training
from re2nn_core.training.loop import Epoch

SPLITS = ("train", "train", "train", "dev")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules, logic, the texts of each split and of all; `model` is trained on them for two epochs."""
    folder = tmp_path_factory.mktemp("train")
    (folder / "rules.txt").write_text(RULES, encoding="utf-8")
    (folder / "logic.toml").write_text(LOGIC, encoding="utf-8")
    rows = [(f"{text} {number}", label, SPLITS[number % 4]) for number in range(8) for label, text in TEXTS]
    lines = ["\t".join(row) for row in rows]
    (folder / "all.tsv").write_text("\n".join(["text\tlabel\tsplit", *lines]), encoding="utf-8")
    for split in ("train", "dev"):
        kept = [f"{label}\t{text}" for text, label, found in rows if found == split]
        (folder / f"{split}.tsv").write_text("\n".join(kept), encoding="utf-8")
    return folder


def rules_of(folder: Path) -> tuple[str, ...]:
    return "--rules", str(folder / "rules.txt"), "--logic", str(folder / "logic.toml")


@pytest.fixture(scope="module")
def trained(folder: Path) -> Outcome:
    """The outcome of `train --json`; the model is in `folder / "model"`."""
    files = ("--train", folder / "train.tsv", "--dev", folder / "dev.tsv", "--test", folder / "dev.tsv")
    settings = ("--output", folder / "model", "--epochs", 2, "--vectors", "none", "--device", "cpu", "--threads", 1)
    arguments = ["train", *rules_of(folder), *map(str, (*files, *settings)), "--json"]
    result = CliRunner().invoke(main, arguments)
    return Outcome(result.exit_code, result.stdout, result.stderr)


def test_train_reports_and_writes_a_model(folder: Path, trained: Outcome) -> None:
    assert trained.code == 0, trained.err
    data = trained.data
    assert (data["model"], data["device"], data["epochs"]) == (str(folder / "model"), "cpu", 2)
    assert data["train_size"] == 36
    assert data["zero_shot"]["dev"] == pytest.approx(5 / 6)
    assert data["dev"] >= data["zero_shot"]["dev"]
    assert data["test"] == data["dev"]
    figures = {pair["name"]: pair for pair in data["figures"]}
    assert list(figures) == ["out-of-fold", "dev (also used for training)", "test"]
    assert figures["out-of-fold"]["untrained"] == data["zero_shot"]["dev"]
    assert figures["out-of-fold"]["trained"] == data["dev"]
    assert (folder / "model" / "bundle.json").is_file()


def test_progress_is_on_stderr(trained: Outcome) -> None:
    lines = [line for line in trained.err.splitlines() if line.startswith("epoch")]
    assert lines[0].startswith("epoch   0  (untrained)  train  83.33%  out-of-fold  83.33%")
    assert lines[0].endswith("best so far")
    assert len(lines) == 3
    assert len(trained.out.splitlines()) == 1


def test_the_linear_layer_reports_how_far_it_is(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    """For slots it did, for labels nothing was reported behind the last epoch."""
    files = ("--train", folder / "train.tsv", "--dev", folder / "dev.tsv", "--output", tmp_path / "model")
    given = (*rules_of(folder), *files, "--epochs", 1, "--vectors", "none", "--device", "cpu", "--threads", 1)
    fitted = [line for line in re2nn("train", *given, "--linear").err.splitlines() if line.startswith("linear layer: ")]
    assert len(fitted) > 2
    assert fitted[-1] == "linear layer: 100%"
    assert "linear layer" not in re2nn("train", *given, "--no-linear").err


def test_model_predicts_without_a_rule_file(re2nn: Call, folder: Path, trained: Outcome) -> None:
    data = re2nn("predict", "--model", folder / "model", folder / "dev.tsv", "--json").data
    assert data["sentences"] == 12
    assert all(0 < row["confidence"] <= 1 for row in data["predictions"])
    evaluation = re2nn("evaluate", "--model", folder / "model", "--data", folder / "dev.tsv", "--json")
    assert evaluation.code == 0
    assert evaluation.data["network"]["accuracy"] == pytest.approx(trained.data["dev"])
    assert evaluation.data["rules"]["accuracy"] == pytest.approx(trained.data["zero_shot"]["dev"])


def test_texts_that_were_used_for_training_are_reported(
    re2nn: Call, folder: Path, tmp_path: Path, trained: Outcome
) -> None:
    for called in (("predict", folder / "train.tsv"), ("evaluate", "--data", folder / "train.tsv")):
        given = (called[0], "--model", folder / "model", *called[1:])
        assert re2nn(*given, "--json").data["used_for_training"] == 36
        assert "Note: All of 36 texts were used for training" in re2nn(*given).out
    new = tmp_path / "new.tsv"
    new.write_text("flight\ta flight nobody asked for\nfare\twhat is the fare now\n", encoding="utf-8")
    on_new = ("evaluate", "--model", folder / "model", "--data", new)
    assert re2nn(*on_new, "--json").data["used_for_training"] == 0
    assert "used for training" not in re2nn(*on_new).out


def test_model_knows_its_tokenizer(re2nn: Call, folder: Path, trained: Outcome) -> None:
    given = ("predict", "--model", folder / "model", folder / "dev.tsv")
    outcome = re2nn(*given, "--tokenizer", "punctuation")
    assert outcome.code == 2
    assert "was made for --tokenizer whitespace. Leave these options out for a model." in outcome.err
    outcome = re2nn(*given, "--logic", folder / "logic.toml")
    assert outcome.code == 2
    assert "--logic belongs to rules: write --rules FILE too, or leave it out." in outcome.err


def test_reconstruct_writes_rules_that_run(re2nn: Call, folder: Path, trained: Outcome) -> None:
    rules = folder / "new.txt"
    files = ("--dev", folder / "dev.tsv", "--test", folder / "train.tsv")
    outcome = re2nn("reconstruct", "--model", folder / "model", *files, "-o", rules, "--json")
    assert outcome.code == 0
    data = outcome.data
    assert data["split"] == "test"
    assert set(data["splits"]) == {"dev", "test"}
    assert [split["name"] for split in data["splits"].values()] == ["dev (also used for training)", "test"]
    assert data["warnings"][0].startswith("Dev texts were also used for training")
    assert data["original"]["accuracy"] == pytest.approx(5 / 6)
    assert data["reconstructed"]["accuracy"] is not None
    assert 0 <= data["agreement"] <= 1
    assert [rule["name"] for rule in data["rules"]] == ["to_city", "any_flight", "price"]
    logic = folder / "new.logic.toml"
    assert data["logic_output"] == str(logic)
    again = re2nn("evaluate", "--rules", rules, "--logic", logic, "--data", folder / "train.tsv", "--json").data
    assert again["rules"]["accuracy"] == pytest.approx(data["reconstructed"]["accuracy"])


def test_training_may_end_near_rules(re2nn: Call, folder: Path) -> None:
    """What is read back then predicts as the network, and is compared with the rules that were written."""
    settings = ("--epochs", 2, "--vectors", "none", "--device", "cpu", "--threads", 1, "--faithful")
    model, rules, weights = folder / "near", folder / "near.txt", folder / "near.jsonl"
    files = ("--train", folder / "train.tsv", "--dev", folder / "dev.tsv")
    outcome = re2nn("train", *rules_of(folder), *files, "--output", model, *map(str, settings))
    assert outcome.code == 0, outcome.err
    assert "Faithful training: 3 rules kept" in outcome.out
    # What was held out from the network and what it has learned from are two columns, each with its own beginning.
    header, *lines = (line.split("  ") for line in outcome.out.splitlines()[:4])
    assert [part.strip() for part in header if part] == [
        "accuracy",
        "out-of-fold",
        "dev (also used for training)",
    ]
    rows = {cells[0]: [part.strip() for part in cells[1:] if part] for cells in lines}
    assert list(rows) == ["untrained", "trained", "then faithful"]
    assert [cell.endswith("%") for cell in rows["untrained"]] == [True, True]
    assert [cell.endswith("%") for cell in rows["then faithful"]] == [False, True]
    assert "dev (also used for training): these texts were also used for training" in outcome.out
    read = re2nn("reconstruct", "--model", model, *files, "-o", rules, "--weights-output", weights, "--json")
    assert read.code == 0, read.err
    assert read.data["agreement"] >= 0.9
    counts = read.data["counts"]
    assert set(counts) == {"kept", "changed", "new", "dropped", "edges", "new_words", "words"}
    assert counts["kept"] + counts["changed"] == 3
    assert counts["new"] == len(read.data["new_rules"])
    assert read.data["original"]["accuracy"] == pytest.approx(5 / 6)
    heads = [json.loads(line) for line in weights.read_text(encoding="utf-8").splitlines() if '"states"' in line]
    names = {rule["name"] for rule in read.data["rules"] + read.data["new_rules"]}
    assert {head["machine"] for head in heads} == names


def test_reconstruct_refuses_texts_of_another_project(re2nn: Call, folder: Path, trained: Outcome) -> None:
    (folder / "other.tsv").write_text("rain\tit is wet\nsun\tit is dry\n", encoding="utf-8")
    given = ("reconstruct", "--model", folder / "model", "--dev", folder / "other.tsv", "-o", folder / "no.txt")
    outcome = re2nn(*given)
    assert outcome.code == 2
    assert "None of these texts has a label that the network can give: theirs are rain, sun" in outcome.err
    assert not (folder / "no.txt").exists()


def test_reconstruct_refuses_texts_of_another_task(re2nn: Call, folder: Path, trained: Outcome) -> None:
    spans = folder / "spans.jsonl"
    spans.write_text('{"text": "to oslo", "spans": [[3, 7, "city"]]}\n', encoding="utf-8")
    for given in (("reconstruct", "-o", folder / "no.txt", "--dev"), ("evaluate", "--data")):
        outcome = re2nn(*given, spans, "--model", folder / "model")
        assert outcome.code == 2
        assert (
            f"{spans} holds slots. {folder / 'model'} is a model for labels of whole texts. Give it texts with labels"
            in (outcome.err)
        )
        assert "--task" not in outcome.err


def test_what_no_rule_can_say_is_told(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    save_bundle(tmp_path / "model", as_trained(cell="gru", auxiliary="rnn", dimensions=3, copies=1))
    texts = tmp_path / "dev.tsv"
    texts.write_text("travel\ta flight to oslo\nmoney\thow much is it\n", encoding="utf-8")
    given = ("reconstruct", "--model", tmp_path / "model", "--dev", texts, "-o", tmp_path / "new.txt", "--overwrite")
    assert (
        "Warning: No change of a rule holds on other texts: keep your rules as they are. What the network uses and no "
        "rule can express: weights between 0 and 1 (a rule matches or does not), gates (GRU), the auxiliary encoder "
        "and the ensemble of 2 networks" in re2nn(*given).out
    )
    assert "re2nn review" not in re2nn(*given).out  # there is nothing to review
    assert re2nn(*given, "--json").data["warnings"][-1].startswith("No change of a rule holds")


def test_reconstruct_as_text(re2nn: Call, folder: Path, trained: Outcome) -> None:
    rules, logic = folder / "text.txt", folder / "chosen.toml"
    given = ("reconstruct", "--model", folder / "model", "--dev", folder / "dev.tsv", "-o", rules)
    outcome = re2nn(*given, "--logic-output", logic)
    assert outcome.out.startswith(
        "split                         texts  written rules  network  reconstructed  agreement\ndev (also used for "
        "training) "
    )
    assert "Dev chose the thresholds; also used for training." in outcome.out
    assert "Warning: Dev texts were also used for training" in outcome.out
    assert "Warning: There are no test texts" in outcome.out
    assert f"re2nn evaluate --rules {rules} --logic {logic} --data FILE\n" in outcome.out
    assert logic.is_file()


def test_one_file_with_a_split_column(re2nn: Call, folder: Path) -> None:
    settings = ("--epochs", 1, "--vectors", "none", "--device", "cpu", "--automata", "label", "--threads", 1)
    output = folder / "other"
    outcome = re2nn("train", *rules_of(folder), "--data", folder / "all.tsv", "--output", output, *map(str, settings))
    assert outcome.code == 0
    assert outcome.out.startswith(
        "accuracy      out-of-fold  dev (also used for training)\n"
        "untrained     83.33%                             83.33%\n"
    )
    assert re.search(r"\n95% interval  \d+% to \d+% +-\n", outcome.out)
    assert f"re2nn reconstruct --model {output} --data FILE -o RULES" in outcome.out
    assert f"re2nn review {output} --data FILE --html REVIEW" in outcome.out
    assert json.loads((output / "bundle.json").read_text(encoding="utf-8"))["config"]["machines"] == "label"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "There are no training texts. Write --train FILE --dev FILE, or --data FILE"),
        (("--data", "all.tsv", "--dev", "dev.tsv"), "--data holds all splits in one file. Leave out --train"),
        (("--train", "dev.tsv", "--dev", "dev.tsv", "--epochs", "0"), "epochs must be at least 1 (got 0)"),
        (("--train", "dev.tsv", "--dev", "dev.tsv", "--device", "tpu"), "device must be one of auto, cuda, mps, cpu"),
        (("--train", "dev.tsv", "--dev", "dev.tsv", "--vectors", "no.txt"), "no.txt"),
        (("--train", "nowhere.tsv", "--dev", "dev.tsv"), "nowhere.tsv: there is no such file. Give a file of texts"),
    ],
)
def test_what_cannot_be_trained(
    re2nn: Call,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(folder)
    outcome = re2nn("train", *rules_of(folder), *arguments, "--output", tmp_path / "model")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (tmp_path / "model" / "bundle.json").exists()


def test_without_a_label_the_rules_predictions_are_learned(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    texts = [line.split("\t")[1] for line in (folder / "train.tsv").read_text(encoding="utf-8").splitlines()]
    (tmp_path / "bare.txt").write_text("\n".join(texts), encoding="utf-8")
    (tmp_path / "few.txt").write_text("\n".join(texts[:4]), encoding="utf-8")
    call = ("train", "--rules", folder / "rules.txt", "--vectors", "none", "--device", "cpu")
    predictions = (*call, "--unlabelled", "1", "--test", folder / "dev.tsv")
    done = re2nn(*predictions, "--train", tmp_path / "bare.txt", "--output", tmp_path / "model")
    assert done.code == 0, done.err
    assert "no labelled training text: the rules' predictions for" in done.out
    assert "3 epochs, with nothing to measure them by" in done.out
    few = re2nn(*predictions, "--train", tmp_path / "few.txt", "--output", tmp_path / "other")
    assert few.code == 2
    assert "training on their predictions needs at least 10.\nLabel texts, or add more texts" in few.err
    unasked = re2nn(*call, "--train", tmp_path / "bare.txt", "--output", tmp_path / "other")
    assert (unasked.code, "label" in unasked.err) == (2, True)
    # What is measured on needs labels all the same.
    unmeasured = (*call, "--unlabelled", "1", "--test", tmp_path / "bare.txt", "--train", tmp_path / "few.txt")
    assert "--label-column" in re2nn(*unmeasured, "--output", tmp_path / "other").err


def test_output_that_is_a_file(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("train", *rules_of(folder), "--data", folder / "all.tsv", "--output", folder / "all.tsv")
    assert outcome.code == 2
    assert "all.tsv: this is a file. Give a folder for --output." in outcome.err


def test_stopped_training_says_how_to_go_on(
    re2nn: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Cancelled("stopped")

    monkeypatch.setattr(training, "train_system", stopped)
    outcome = re2nn("train", *rules_of(folder), "--data", folder / "all.tsv", "--output", tmp_path / "model")
    assert outcome.code == 130
    assert outcome.err == "Error: Stopped. Run the same command to continue.\n"


def test_stopped_training_goes_on_only_where_nothing_changed(
    re2nn: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "model"
    settings = ("--output", output, "--epochs", 3, "--vectors", "none", "--device", "cpu", "--threads", 1)
    given = ("train", *rules_of(folder), "--data", folder / "all.tsv", *settings)

    def interrupt_after_first(dev: str, epoch: Epoch, best: int) -> None:
        if epoch.epoch == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(command, "_report_epoch", interrupt_after_first)
        assert re2nn(*given).code == 130
    assert (output / "checkpoint" / "checkpoint.safetensors").is_file()
    other = re2nn(*given, "--automata", "label")
    assert other.code == 0
    assert "epoch   0 " in other.err
    assert f"{output} holds an unfinished training of other rules, texts or settings. It was moved to" in other.err
    assert not (output / "checkpoint").exists()
    assert (output / "checkpoint-1").exists()
    same = re2nn(*given)
    assert same.code == 0
    assert f"{output} already contains a model; it is replaced when training is done." in same.err
    assert f"Continuing from the checkpoint in {output}." in same.err
    assert "epoch   0 " not in same.err
    assert "epoch   3 " in same.err


def test_files_that_are_no_model_are_not_overwritten(re2nn: Call, folder: Path) -> None:
    before = (folder / "rules.txt").read_bytes()
    refused = re2nn("train", *rules_of(folder), "--data", folder / "all.tsv", "--output", folder)
    assert refused.code == 2
    assert f"{folder} is no model folder and has files that a model would overwrite: rules.txt" in refused.err
    assert (folder / "rules.txt").read_bytes() == before


def test_a_model_of_other_rules_is_named_and_one_of_another_task_stays(
    re2nn: Call, folder: Path, tmp_path: Path
) -> None:
    re2nn_api.compile("[fare]\nprice := $* cost $*").save(tmp_path / "other")
    given = ("train", *rules_of(folder), "--data", folder / "all.tsv", "--epochs", "1", "--output")
    replaced = re2nn(*given, tmp_path / "other")
    assert replaced.code == 0
    assert "other already contains a model of other rules; it is replaced when training is done." in replaced.err
    re2nn_api.compile("to := $* to [ oslo ]<city>").save(tmp_path / "slots")
    refused = re2nn(*given, tmp_path / "slots")
    assert refused.code == 2
    assert "slots already contains a model for slots, and these rules are for labels of whole texts." in refused.err
    assert re2nn_api.load(tmp_path / "slots").predict(["to oslo"])[0]


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl+C is heard, also where the tests were started in the background, which makes programs deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_first_interrupt_asks_and_second_stops() -> None:
    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with stop_on_interrupt() as should_stop:
        assert not should_stop()
        interrupt()
        assert should_stop()
        with pytest.raises(KeyboardInterrupt):
            interrupt()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
