"""Measures a training epoch and the inference of a trained network against the plain padded loop (slow_twin.py).

    python tests/benchmarks/network_speed.py                     ATIS; results/network_speed.json
    python tests/benchmarks/network_speed.py --rounds 15

Both run in turns, on one thread, and the median of all rounds counts: on a processor its own seconds, which other
programs on the machine hardly change, on a CUDA GPU (measured too, where there is one) those of the clock.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import torch
from benchmarks import slow_twin
from benchmarks.slow_twin import SlowTwin

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.experiments.datasets.classification import DataSet, benchmark_folder, known_data
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.learner import Learner, one_epoch

TRAINING_TARGET, INFERENCE_TARGET = 3.0, 5.0


@dataclass(frozen=True)
class Row:
    """Median seconds of the plain loop and of the network, over all rounds."""

    what: str
    device: str
    vectors: str
    loop: float
    network: float
    target: float | None = None

    @property
    def times(self) -> float:
        """How many times as fast the network is."""
        return self.loop / self.network


@click.command()
@click.option("--rounds", default=9, show_default=True, help="How often each is measured.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "network_speed.json")
def main(rounds: int, output: Path) -> None:
    """Measure."""
    torch.set_num_threads(1)
    data = known_data("ATIS", benchmark_folder())
    rows: list[Row] = []
    for name in ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]:
        for vectors in ("builtin", "none"):
            for row in measured(data, torch.device(name), vectors, rounds):
                click.echo(line(row))
                rows.append(row)
    output.write_text(json.dumps(report(rows, rounds), indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")
    sys.exit(1 if any(row.target is not None and row.times < row.target for row in rows) else 0)


def measured(data: DataSet, device: torch.device, vectors: str, rounds: int) -> Iterator[Row]:
    """Training epochs of both first, which train the network; then the twin takes its parameters over, and both
    prediction."""
    torch.manual_seed(0)
    bundle = bundle_of(data, vectors)
    bundle.network.to(device)
    twin = SlowTwin(bundle).to(device)
    seconds = in_turns(epochs(data, bundle, twin, device), rounds, device)
    for size in (slow_twin.BATCH, TrainConfig().batch_size):
        target = TRAINING_TARGET if size == slow_twin.BATCH else None
        what = f"training epoch, batches of {size}"
        yield Row(what, str(device), vectors, seconds["loop"], seconds[f"network {size}"], target)
    twin.take_over(bundle.network)
    seconds = in_turns(predicting(data, bundle, twin, device), rounds, device)
    yield Row("answers, from word numbers", str(device), vectors, seconds["loop"], seconds["network"], INFERENCE_TARGET)
    yield Row("answers, from texts", str(device), vectors, seconds["loop, texts"], seconds["network, texts"])


def bundle_of(data: DataSet, vectors: str) -> Bundle:
    """The exact network of the rules, over all words of the data."""
    system = data.system
    train, others = (
        words_of_all([example.text for example in part], system.tokenization)
        for part in (data.train, (*data.dev, *data.test))
    )
    vocabulary = build_vocabulary([*train, *others], always=system.ruleset.words)
    chosen = word_vectors(vocabulary.words, train, vectors)
    return build_bundle(
        system.rules_text,
        system.logic_text,
        system.tokenization,
        vocabulary,
        NetworkConfig(vectors=vectors),
        chosen.vectors if chosen.vectors.shape[1] else None,
        chosen.name,
        sorted({example.label or "" for example in data.train}),
    )


def epochs(data: DataSet, bundle: Bundle, twin: SlowTwin, device: torch.device) -> Mapping[str, Callable[[], object]]:
    """One epoch over all train texts, each way."""
    places = {label: place for place, label in enumerate(bundle.network.logic.labels)}
    labels = [places[example.label or ""] for example in data.train]
    codes = encoded(bundle, [example.text for example in data.train])
    words, lengths = slow_twin.padded(codes, device)
    targets = torch.tensor(labels, device=device)
    optimizer = torch.optim.Adam(twin.parameters())
    ways: dict[str, Callable[[], object]] = {
        "loop": lambda: slow_twin.train_one_epoch(twin, optimizer, words, lengths, targets)
    }
    examples = EncodedExamples(codes, labels)
    for size in (TrainConfig().batch_size, slow_twin.BATCH):
        state = Learner(bundle.network, TrainConfig(batch_size=size), device, 0)
        ways[f"network {size}"] = lambda state=state: one_epoch(state, examples, None)
    return ways


def predicting(
    data: DataSet, bundle: Bundle, twin: SlowTwin, device: torch.device
) -> Mapping[str, Callable[[], object]]:
    """Predictions for all dev and test texts, each way, which are compared first: all but those of texts that the loop
    cuts."""
    texts = [example.text for example in (*data.dev, *data.test)]
    codes = encoded(bundle, texts)
    found = run_network(bundle.network, codes, abstain=False).predictions.tolist()
    wanted = list(slow_twin.predictions(twin, codes, device))
    differ = sum(a != b for a, b, code in zip(found, wanted, codes, strict=True) if len(code) <= slow_twin.TIMES)
    if differ:
        raise click.ClickException(f"{differ} of {len(codes)} answers differ from those of the plain loop.")
    return {
        "loop": lambda: list(slow_twin.predictions(twin, codes, device)),
        "network": lambda: run_network(bundle.network, codes, abstain=False),
        "loop, texts": lambda: list(slow_twin.predictions(twin, encoded(bundle, texts), device)),
        "network, texts": lambda: run_network(bundle.network, encoded(bundle, texts), abstain=False),
    }


def encoded(bundle: Bundle, texts: list[str]) -> list[list[int]]:
    """Word numbers of texts."""
    return [bundle.vocabulary.encode(sentence) for sentence in words_of_all(texts, bundle.tokenization)]


def in_turns(ways: Mapping[str, Callable[[], object]], rounds: int, device: torch.device) -> dict[str, float]:
    """Median seconds of each; all run once before anything is measured, and then by turns."""
    for action in ways.values():
        action()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, action in ways.items():
            seconds[name].append(timed(action, device))
    return {name: median(values) for name, values in seconds.items()}


def timed(action: Callable[[], object], device: torch.device) -> float:
    """Seconds of the processor, or of the clock where a GPU does the work."""
    if device.type != "cuda":
        began = time.process_time()
        action()
        return time.process_time() - began
    torch.cuda.synchronize()
    start = time.perf_counter()
    action()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def line(row: Row) -> str:
    """One row as text."""
    verdict = "" if row.target is None else f">= {row.target:g}  {'reached' if row.times >= row.target else 'MISSED'}"
    figures = f"{row.loop:8.4f} s {row.network:8.4f} s {row.times:6.1f} x"
    return f"{row.device:5} vectors {row.vectors:8} {row.what:32} {figures}  {verdict}"


def report(rows: list[Row], rounds: int) -> dict[str, object]:
    """All rows with what they were measured on."""
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, torch {torch.__version__}, one thread",
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "loop": f"rank {slow_twin.RANK}, batches of {slow_twin.BATCH}, padded to {slow_twin.TIMES} words",
        "rounds": rounds,
        "rows": [asdict(row) | {"times": round(row.times, 2)} for row in rows],
    }


if __name__ == "__main__":
    main()
