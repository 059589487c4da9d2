"""Which recipe is taken for how many examples, and that several copies end as one network that holds its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.experiments.runs.classification import as_it_began
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import train_system, training_resumes
from re2nn_core.services.fine_tuning.training_plan import Split, choose_training_plan, split_examples, training_parts
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch

NETWORK = NetworkConfig(vectors="none", train_words=True, dropout=0.0)
QUICK = TrainConfig(device="cpu", epochs=6, batch_size=8, learning_rate=0.01, copies=3)


def split_of(train: int, dev: int) -> Split:
    def some(count: int, split: str) -> tuple[Example, ...]:
        return tuple(Example(f"{split} {n}", "ab"[n % 2], split) for n in range(count))

    return Split(some(train, "train"), some(dev, "dev"), (), "dev")


def test_without_dev_every_fifth_text_is_held_out():
    corpus = Corpus(tuple(replace(example, split=None) for example in small_corpus()))
    split = split_examples(corpus)
    assert (len(split.train), len(split.dev), len(split.test), split.decided_by) == (52, 12, 0, "held out")
    assert not {example.text for example in split.train} & {example.text for example in split.dev}


def test_copies_that_predict_together_learn_all_of_many_texts_between_them() -> None:
    """A text of a fifth that no copy learns is lost; dev texts, one copy or one network of mean weights leave none."""
    split = replace(split_of(1200, 300), decided_by="held out")
    together = TrainConfig(average="predictions")
    plan = choose_training_plan(together, split)
    assert (plan.turns, plan.copies, plan.config.epochs, plan.higher) == (True, 5, together.epochs, None)
    assert plan.reason.startswith(
        "1,500 train texts: default learning rates; no dev texts: 5-fold cross-validation on all"
    )
    learned = [{example.text for example in part} for part, _ in training_parts(plan, split)]
    assert set.union(*learned) == {example.text for example in (*split.train, *split.dev)}
    assert not choose_training_plan(together, replace(split, decided_by="dev")).turns
    assert not choose_training_plan(replace(together, copies=1), split).turns
    assert not choose_training_plan(TrainConfig(), split).turns
    assert not choose_training_plan(together, replace(split_of(2400, 600), decided_by="held out")).turns


def test_forty_examples_take_turns_at_being_held_out():
    recipe = choose_training_plan(TrainConfig(), split_of(40, 40))
    assert (recipe.copies, recipe.turns, recipe.config.l2_to_initial, recipe.config.head_learning_rate) == (
        5,
        True,
        1e-3,
        0,
    )
    assert recipe.reason == (
        "40 train texts: low learning rates; 40 dev texts alone are too few to decide when to stop: "
        "5-fold cross-validation on all 80 labelled texts ('out-of-fold')."
    )


def test_a_plan_of_twenty_texts_counts_those_that_are_held_out_in_turn():
    """It spoke of 16 train texts, and nothing said where the other four were."""
    texts = Corpus(tuple(Example(f"text {number}", "ab"[number % 2]) for number in range(20)))
    assert choose_training_plan(TrainConfig(), split_examples(texts)).reason == (
        "20 train texts: low learning rates; no dev texts: "
        "5-fold cross-validation on all 20 labelled texts ('out-of-fold')."
    )
    assert choose_training_plan(TrainConfig(copies=1), split_examples(texts)).reason.startswith(
        "16 train texts: low learning rates; no dev texts: every fifth labelled text is held-out and decides when to "
        "stop (4)"
    )


@pytest.mark.parametrize(
    ("train", "dev", "auxiliary", "sooner"),
    [
        pytest.param(300, 40, False, True, id="cross-validation"),
        pytest.param(300, 40, True, False, id="with an auxiliary encoder"),
        pytest.param(300, 300, False, False, id="enough dev texts decide"),
        pytest.param(2000, 40, False, False, id="many texts"),
    ],
)
def test_a_cross_validation_of_rules_alone_may_end_sooner(train: int, dev: int, auxiliary: bool, sooner: bool) -> None:
    assert choose_training_plan(TrainConfig(), split_of(train, dev), auxiliary=auxiliary).sooner == sooner


def test_what_is_set_by_hand_stays_even_where_it_is_the_default():
    recipe = choose_training_plan(
        TrainConfig(copies=1), split_of(400, 500), manual_overrides=("l2_to_initial", "batch_size", "copies")
    )
    assert (recipe.config.l2_to_initial, recipe.config.batch_size, recipe.config.epochs) == (0.0, 64, 40)
    assert recipe.reason.endswith("; set by hand (Batch size: 64, L2 pull to the rules: 0, Ensemble members: 1).")


def test_what_the_objective_takes_is_not_told_as_set_by_hand():
    given = TrainConfig(average="predictions", auxiliary_learning_rate=0.01)
    recipe = choose_training_plan(replace(given, patience=3), split_of(400, 500))
    assert recipe.reason.endswith(
        "; set by the objective (Learning rate of the auxiliary encoder: 0.01); set by hand (Patience: 3)."
    )
    recipe = choose_training_plan(given, split_of(400, 500), manual_overrides=("average",))
    assert recipe.reason.endswith(
        "; set by the objective (Learning rate of the auxiliary encoder: 0.01); "
        "set by hand (Combine members by: predictions)."
    )


def test_with_many_dev_texts_these_decide():
    recipe = choose_training_plan(TrainConfig(), split_of(400, 500))
    assert (recipe.copies, recipe.turns, recipe.config.l2_to_initial) == (1, False, 1e-3)
    recipe = choose_training_plan(TrainConfig(copies=3), split_of(400, 500))
    assert (recipe.copies, recipe.turns) == (3, False)
    orders = "3 ensemble members that see the texts in different orders"
    assert recipe.reason.endswith(f"{orders}; set by hand (Ensemble members: 3).")


def test_many_examples_keep_the_usual_settings():
    recipe = choose_training_plan(TrainConfig(), split_of(4000, 40))
    assert (recipe.config, recipe.copies, recipe.turns) == (TrainConfig(), 1, False)
    assert recipe.reason == "4,000 train texts: default learning rates."


def test_with_few_examples_and_a_reader_the_latest_of_the_good_epochs_is_kept():
    recipe = choose_training_plan(TrainConfig(average="predictions"), split_of(400, 500), auxiliary=True)
    assert recipe.steady
    assert recipe.reason.endswith(
        "; of the epochs not clearly worse than the best one on dev, the latest is kept, each measured with "
        "the mean weights of its last 5 epochs."
    )
    for split, auxiliary in ((split_of(400, 500), False), (split_of(4000, 500), True), (split_of(40, 40), True)):
        recipe = choose_training_plan(TrainConfig(average="predictions"), split, auxiliary=auxiliary)
        assert not recipe.steady
        assert "the latest" not in recipe.reason


def test_training_keeps_the_epoch_that_the_recipe_says(tmp_path: Path):
    config = replace(QUICK, copies=1, learning_rate=0.2, auxiliary_learning_rate=0.01)
    report = train_system(small_system(), small_corpus(), replace(NETWORK, auxiliary="rnn"), config, folder=tmp_path)
    assert "the latest is kept" in report.recipe
    lowest_loss = min(report.history, key=lambda epoch: (-epoch.dev, epoch.dev_loss))
    assert lowest_loss.epoch < 6
    assert (lowest_loss.dev, report.history[-1].dev) == (1.0, 1.0)
    assert (report.best_epoch, report.dev) == (6, 1.0)


def test_what_was_set_by_hand_stays():
    manual_overrides = TrainConfig(l2_to_initial=0.5, head_learning_rate=0.1, copies=2, batch_size=7)
    recipe = choose_training_plan(manual_overrides, split_of(40, 40))
    chosen = recipe.config
    assert (chosen.l2_to_initial, chosen.head_learning_rate, recipe.copies, chosen.batch_size) == (0.5, 0.1, 2, 7)


def test_a_label_without_rules_leaves_the_state_head_on():
    assert choose_training_plan(TrainConfig(), split_of(40, 40), ruleless=True).config.head_learning_rate == 1e-3


def test_every_text_is_held_out_from_one_copy_and_learned_by_the_others():
    split = split_of(23, 7)
    parts = training_parts(choose_training_plan(TrainConfig(), split), split)
    held = [example for _, dev in parts for example in dev]
    assert sorted(held, key=str) == sorted((*split.train, *split.dev), key=str)
    for learned, dev in parts:
        assert not set(learned) & set(dev)
        assert len(learned) + len(dev) == 30
        assert {example.label for example in dev} == {"a", "b"}


def test_copies_end_as_one_network_that_is_better_than_the_rules(tmp_path: Path):
    report = train_system(small_system(), small_corpus(), NETWORK, replace(QUICK, epochs=25), folder=tmp_path)
    assert report.dev is not None
    assert report.zero_shot["dev"] is not None
    assert report.dev > report.zero_shot["dev"]
    bundle = load_bundle(tmp_path)
    test = small_corpus().of_split("test")
    right = sum(a == e.label for a, e in zip(predict(bundle, test.texts).predictions, test, strict=True)) / len(test)
    assert right == report.test
    assert report.test > report.zero_shot["test"]


def test_copies_that_learn_nothing_leave_the_rules(tmp_path: Path):
    nothing = replace(QUICK, learning_rate=0.0, embedding_learning_rate=0.0, head_learning_rate=0.0, epochs=2)
    report = train_system(small_system(), small_corpus(), NETWORK, nothing, folder=tmp_path)
    assert (report.best_epoch, load_bundle(tmp_path).trained) == (0, False)
    assert report.test == report.zero_shot["test"]


def test_stopped_copies_go_on_as_unbroken_ones(tmp_path: Path):
    whole = train_system(small_system(), small_corpus(), NETWORK, QUICK, folder=tmp_path / "whole")
    seen: list[int] = []

    def count(epoch: Epoch, best: int) -> None:
        seen.append(epoch.epoch)

    broken = tmp_path / "broken"
    with pytest.raises(Cancelled):
        train_system(
            small_system(),
            small_corpus(),
            NETWORK,
            QUICK,
            folder=broken,
            on_epoch=count,
            should_stop=lambda: len(seen) > 2,
        )
    assert training_resumes(small_system(), small_corpus(), NETWORK, QUICK, folder=broken)
    again = train_system(small_system(), small_corpus(), NETWORK, QUICK, folder=broken)
    assert [e.loss for e in again.history] == pytest.approx([e.loss for e in whole.history])
    one, two = load_bundle(tmp_path / "whole").network, load_bundle(broken).network
    assert torch.allclose(one.reader.sources, two.reader.sources, atol=1e-6)


def test_an_unfinished_training_of_other_rules_is_kept_and_told(tmp_path: Path):
    seen: list[int] = []
    with pytest.raises(Cancelled):
        train_system(
            small_system(),
            small_corpus(),
            NETWORK,
            QUICK,
            folder=tmp_path,
            on_epoch=lambda epoch, best: seen.append(epoch.epoch),
            should_stop=lambda: len(seen) > 1,
        )
    other = small_system(logic="")
    report = train_system(other, small_corpus(), NETWORK, QUICK, folder=tmp_path)
    assert report.history[0].epoch == 0
    assert report.notes[0] == (
        f"{tmp_path} held an unfinished training of other rules, texts or settings. It was moved to "
        f"{tmp_path / 'checkpoint-1'}: the former command continues it. Delete that folder if you do not need it."
    )
    assert (tmp_path / "checkpoint-1" / "checkpoint.safetensors").is_file()
    # The former training goes on from there.
    assert training_resumes(small_system(), small_corpus(), NETWORK, QUICK, folder=tmp_path)
    reported: list[int] = []
    train_system(
        small_system(),
        small_corpus(),
        NETWORK,
        QUICK,
        folder=tmp_path,
        on_epoch=lambda epoch, best: reported.append(epoch.epoch),
    )
    assert reported[0] == 2
    assert not (tmp_path / "checkpoint-1").exists()


def test_a_loss_that_is_no_number_keeps_the_best_and_names_the_setting(tmp_path: Path):
    wild = replace(QUICK, learning_rate=1e30, copies=1)
    report = train_system(small_system(), small_corpus(), NETWORK, wild, folder=tmp_path)
    (warning, *_) = report.notes
    assert "the loss was not a number" in warning
    assert warning.endswith("Lower learning_rate (--learning-rate; it was 1e+30, usual is 0.001) and train again.")
    assert report.dev >= report.zero_shot["dev"]
    assert set(predict(load_bundle(tmp_path), ["a flight"]).predictions) <= {"travel", "money"}


def test_labels_and_rules_that_do_not_meet_are_told(tmp_path: Path):
    corpus = Corpus(tuple(replace(e, label="moneys") if e.label == "money" else e for e in small_corpus()))
    report = train_system(small_system(), corpus, NETWORK, replace(QUICK, epochs=1), folder=tmp_path)
    assert report.notes == (
        "No rule predicts 'moneys': only the output layer can learn it from texts. Is 'moneys' meant to be 'money'?",
        "No training text has the label 'money': nothing confirms or corrects its rules.",
    )


def test_a_label_that_dev_texts_alone_have_is_learned_where_all_texts_take_turns(tmp_path: Path):
    own = (replace(e, label="xyz") if (e.label, e.split) == ("money", "train") else e for e in small_corpus())
    turns = TrainConfig(device="cpu", epochs=1, batch_size=8)
    (note,) = train_system(small_system(), Corpus(tuple(own)), NETWORK, turns, folder=tmp_path).notes
    assert note == "No rule predicts 'xyz': only the output layer can learn it from texts.", "dev has money"


def test_texts_without_a_label_may_be_learned_with_the_rules_predictions(tmp_path: Path):
    bare = Corpus(tuple(replace(e, label=None) if e.split == "train" else e for e in small_corpus()))
    report = train_system(small_system(), bare, NETWORK, replace(QUICK, unlabelled=0.5), folder=tmp_path)
    assert report.recipe.startswith("no labelled training text: the rules' predictions for 32 texts; dev texts decide")
    assert report.train_size == 32
    with pytest.raises(InputError, match="There are 0 labelled training texts"):
        train_system(small_system(), bare, NETWORK, QUICK, folder=tmp_path)


def test_without_a_label_the_reader_alone_learns_what_the_rules_predict(tmp_path: Path):
    bare = Corpus(tuple(replace(e, label=None) for e in small_corpus() if e.split == "train"))
    network = replace(NETWORK, vectors="builtin", train_words=False, auxiliary="gru", auxiliary_states=8)
    settings = TrainConfig(device="cpu", average="predictions", unlabelled=1.0)
    report = train_system(small_system(), bare, network, settings, folder=tmp_path)
    assert report.recipe.startswith(
        "no labelled training text: the rules' predictions for 32 texts; the auxiliary encoder is trained on them, "
        "the rules stay unchanged; 6 epochs, with nothing to measure them by; 3 ensemble members that see the texts "
        "in different orders. Network ("
    )
    bundle = load_bundle(tmp_path)
    assert len(bundle.networks) == 3
    began = dict(as_it_began(bundle).network.named_parameters())
    for trained in bundle.networks:
        parameters = dict(trained.named_parameters())
        moved = {name for name, value in parameters.items() if not torch.equal(value.cpu(), began[name].cpu())}
        assert "auxiliary.out" in moved
        assert all(name.startswith("auxiliary.") for name in moved)


def test_too_few_labels_are_learned_beside_the_rules_predictions(tmp_path: Path):
    """The weight of the predictions is reported where it counts."""
    learned = [example for example in small_corpus() if example.split == "train"]
    few = Corpus(tuple(e if place < 3 else replace(e, label=None) for place, e in enumerate(learned)))
    network = replace(NETWORK, vectors="builtin", train_words=False, auxiliary="gru", auxiliary_states=8)
    settings = TrainConfig(device="cpu", average="predictions", unlabelled=1.0)
    report = train_system(small_system(), few, network, settings, folder=tmp_path / "alike")
    assert report.train_size == 32
    assert report.recipe.startswith(
        "3 labelled training texts, too few alone, and the rules' predictions for 29 texts; the auxiliary encoder "
        "is trained on them, the rules stay unchanged; 6 epochs, with nothing to measure them by; 3 ensemble "
        "members that see the texts in different orders. Network ("
    )
    light = train_system(small_system(), few, network, replace(settings, unlabelled=0.5), folder=tmp_path / "light")
    assert "different orders; set by hand (Weight of unlabelled texts: 0.5). Network (" in light.recipe
    with pytest.raises(InputError, match="There are 3 labelled training texts; training needs at least 10"):
        train_system(small_system(), few, network, replace(settings, unlabelled=0.0), folder=tmp_path / "none")


def test_unlabelled_texts_count_beside_labelled_ones(tmp_path: Path):
    extra = tuple(Example(f"a flight to nowhere {n}", None, "train") for n in range(7))
    corpus = Corpus((*small_corpus(), *extra))
    report = train_system(small_system(), corpus, NETWORK, replace(QUICK, unlabelled=0.25), folder=tmp_path)
    assert "7 texts without a label count 0.25 each, with the rules' predictions" in report.recipe


def test_few_texts_have_higher_rates_to_fall_back_on() -> None:
    higher = choose_training_plan(TrainConfig(), split_of(200, 0)).higher
    assert higher is not None
    assert (higher.learning_rate, higher.embedding_learning_rate) == (4e-3, 1e-2)
    assert higher.l2_to_initial == choose_training_plan(TrainConfig(), split_of(200, 0)).config.l2_to_initial
    assert choose_training_plan(TrainConfig(), split_of(2000, 0)).higher is None
    assert choose_training_plan(TrainConfig(learning_rate=2e-3), split_of(200, 0)).higher is None
    by_hand = choose_training_plan(TrainConfig(), split_of(200, 0), manual_overrides=("embedding_learning_rate",))
    assert by_hand.higher is None
