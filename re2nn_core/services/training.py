"""Fine-tuning a rule system on labelled texts, and the job that does it for a project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.errors import InputError
from re2nn_core.network.bundle import Bundle, build_bundle, save_bundle
from re2nn_core.network.config import NetworkConfig, config_from
from re2nn_core.services.systems import RuleSystem, read_system
from re2nn_core.store import RunRecord, Store, get_project, get_version, latest_version, texts_of
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch, Examples, TrainResult, accuracy_and_loss, train_network
from re2nn_core.training.resuming import can_resume, claim, mark_of, release

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report

HELD_OUT = 5  # without dev texts, every fifth labelled training text is held out to decide when to stop
FEWEST = 10
GENTLE_BELOW = 1000  # fewer examples than this are trained gently, so that they cannot spoil good rules


@dataclass(frozen=True)
class TrainReport:
    """What `train_system` did. Accuracies are shares of 1, None where there are no such texts."""

    model: str
    device: str
    epochs: int
    best_epoch: int
    train_size: int
    zero_shot: Mapping[str, float | None]
    dev: float | None
    test: float | None
    history: tuple[Epoch, ...]
    recipe: str
    vectors: str


OnEpoch = Callable[[Epoch, int], None]


def train_system(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> TrainReport:
    """Train on the corpus's labelled texts of split train (or none), stop on dev, measure on test at the end, and
    write the bundle to `folder`. A checkpoint of a broken run in that folder is taken up again.

    InputError where there is too little to learn from; Cancelled when `should_stop()`.
    """
    train, dev, test, held_out = split_examples(corpus)
    _check_enough(train, dev)
    checkpoint = claim(folder, _mark(system, corpus, network_config, train_config))
    ruleless = not {example.label for example in train} <= set(system.ruleset.labels)
    chosen, recipe = choose_recipe(train_config, len(train), held_out=held_out, ruleless=ruleless)
    bundle = _start(system, corpus, train, network_config)
    labels = {label: number for number, label in enumerate(bundle.network.logic.labels)}

    def encode(examples: Sequence[Example]) -> Examples:
        sentences = words_of_all([example.text for example in examples], system.tokenization)
        known = [labels.get(example.label or "", -1) for example in examples]
        return Examples([bundle.vocabulary.encode(sentence) for sentence in sentences], known)

    test_examples = encode([example for example in test if example.label in labels])
    missing = len(test) - len(test_examples)
    before = _share(bundle, test_examples, missing, untrained=True)
    result = train_network(
        bundle.network,
        encode(train),
        encode(dev),
        chosen,
        on_epoch=on_epoch,
        should_stop=should_stop,
        folder=checkpoint,
    )
    report = TrainReport(
        model=str(folder),
        device=result.device,
        epochs=len(result.history) - 1,
        best_epoch=result.best,
        train_size=len(train),
        zero_shot={"dev": result.history[0].dev if dev else None, "test": before},
        dev=result.history[result.best].dev if dev else None,
        test=_share(bundle, test_examples, missing, untrained=result.best == 0),
        history=result.history,
        recipe=recipe,
        vectors=bundle.vectors_name,
    )
    save_bundle(folder, _finished(bundle, report, result))
    release(folder)
    return report


def will_resume(
    system: RuleSystem, corpus: Corpus, network_config: NetworkConfig, train_config: TrainConfig, *, folder: Path
) -> bool:
    """Whether `train_system` would go on from a checkpoint in the folder."""
    return can_resume(folder, _mark(system, corpus, network_config, train_config))


def _mark(system: RuleSystem, corpus: Corpus, network_config: NetworkConfig, train_config: TrainConfig) -> str:
    texts = (system.rules_text, system.logic_text, system.tokenization)
    return mark_of(*texts, corpus, network_config, train_config)


def split_examples(corpus: Corpus) -> tuple[list[Example], list[Example], list[Example], bool]:
    """Labelled train, dev and test texts; True if dev had to be held out of train."""
    labelled = [example for example in corpus if example.label is not None]
    train = [example for example in labelled if example.split in ("train", None)]
    dev = [example for example in labelled if example.split == "dev"]
    test = [example for example in labelled if example.split == "test"]
    if dev or len(train) < FEWEST:
        return train, dev, test, False
    held = train[HELD_OUT - 1 :: HELD_OUT]
    kept = [example for place, example in enumerate(train) if place % HELD_OUT != HELD_OUT - 1]
    return kept, held, test, True


def _gently(config: TrainConfig, *, head_rate: float) -> TrainConfig:
    """Settings for few examples; what somebody set by hand stays."""
    usual = TrainConfig()
    return replace(
        config,
        pull=1e-3 if config.pull == usual.pull else config.pull,
        vector_rate=0.0025 if config.vector_rate == usual.vector_rate else config.vector_rate,
        head_rate=head_rate if config.head_rate == usual.head_rate else config.head_rate,
    )


def choose_recipe(
    config: TrainConfig, examples: int, *, held_out: bool, ruleless: bool = False
) -> tuple[TrainConfig, str]:
    """The settings for a number of examples, and why, in a sentence. `ruleless`: some label has no rule, so that only
    the state head can learn it."""
    reasons = []
    if examples < GENTLE_BELOW:
        config = _gently(config, head_rate=TrainConfig.head_rate if ruleless else 0.0)
        head = "the state head for labels without rules" if ruleless else "no state head"
        reasons.append(f"only {examples} examples: small steps, a pull towards the written rules, {head}")
    else:
        reasons.append(f"{examples} examples: the usual steps")
    if held_out:
        reasons.append("no dev texts: every fifth training text decides when to stop")
    return config, "; ".join(reasons) + "."


def _check_enough(train: Sequence[Example], dev: Sequence[Example]) -> None:
    if len(train) < FEWEST:
        raise InputError(
            f"There are {len(train)} labelled training texts; training needs at least {FEWEST}.\n"
            "Label more texts, or give more texts with labels."
        )
    if not dev:
        raise InputError(
            "There is no labelled dev text to decide when training should stop.\n"
            "Give some labelled texts the split 'dev'."
        )
    if len({example.label for example in train}) < 2:
        raise InputError(
            f"All {len(train)} training texts carry the label {train[0].label!r}; there is nothing to tell apart.\n"
            "Label texts of at least one other label."
        )


def _start(system: RuleSystem, corpus: Corpus, train: Sequence[Example], config: NetworkConfig) -> Bundle:
    """The untrained network over all the corpus's words, with its word vectors."""
    sentences = words_of_all(corpus.texts, system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    # Vectors may be learned from texts, but never from those that are kept for measuring.
    seen = [s for s, example in zip(sentences, corpus, strict=True) if example.split not in ("dev", "test")]
    chosen = word_vectors(vocabulary.words, seen, config.vectors)
    return build_bundle(
        system.rules_text,
        system.logic_text,
        system.tokenization,
        vocabulary,
        config,
        chosen.vectors if chosen.vectors.shape[1] else None,
        chosen.name,
        extra_labels=sorted({example.label for example in train if example.label is not None}),
    )


def _share(bundle: Bundle, examples: Examples, missing: int, *, untrained: bool) -> float | None:
    """Accuracy over the examples and `missing` more whose label the network cannot give."""
    total = len(examples) + missing
    if not total:
        return None
    device = bundle.network.device
    right, _ = accuracy_and_loss(bundle.network, examples, device, untrained=untrained)
    return right * len(examples) / total


def _finished(bundle: Bundle, report: TrainReport, result: TrainResult) -> Bundle:
    figures = {key: value for key, value in asdict(report).items() if key not in ("history", "model")}
    figures["history"] = [asdict(epoch) for epoch in result.history]
    # Where no epoch did better than the rules the network still is the rules, and answers as they do.
    return replace(bundle, trained=result.best > 0, figures=figures)


def run_training(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on its labels. `run.config` may hold `network` and `train` settings."""
    network = config_from(NetworkConfig, run.config.get("network", {}))
    settings = config_from(TrainConfig, run.config.get("train", {}))
    project = get_project(store, run.project_id)
    if run.rule_version_id is None:
        version = latest_version(store, run.project_id)
    else:
        version = get_version(store, run.rule_version_id)
    if version is None:
        raise InputError("The project has no rules yet. Write and save some on the page Rules.")
    system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
    texts = texts_of(store, run.project_id)
    corpus = Corpus(tuple(Example(text.text, text.label, text.split) for text in texts))

    def on_epoch(epoch: Epoch, best: int) -> None:
        report.point(epoch.epoch, asdict(epoch))
        report.progress(epoch.epoch, settings.epochs, f"epoch {epoch.epoch}, best so far {best}")

    done = train_system(
        system,
        corpus,
        network,
        settings,
        folder=run.folder,
        on_epoch=on_epoch,
        should_stop=report.should_stop,
    )
    result = asdict(done)
    result.pop("history")
    result["accuracy"] = done.dev
    return result
