"""No training loads torch's compiler, which takes longer than the fits of a training on a few hundred texts; one of
labels does without scikit-learn, whose figures are computed where they are shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
LABELS = """
from support.networks.small_system import small_corpus, small_system
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.training.config import TrainConfig

config = NetworkConfig(vectors="none", linear=True)
report = train_system(small_system(), small_corpus(), config, TrainConfig(epochs=1, device="cpu"), folder=folder)
assert report.linear_weight
"""
SLOTS = """
from support.networks.tagger_samples import sample_project, sample_system
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

texts = Corpus(tuple(one for one in sample_project("flight_slots").corpus if one.spans is not None)[::3])
config = TaggerConfig(vectors="none", auxiliary="none", linear=True)
report = train_tagger(sample_system("flight_slots"), texts, config, TrainConfig(epochs=1, device="cpu"), folder=folder)
assert report.linear_weight
"""
ENCODER = """
from support.networks.tagger_samples import sample_project, sample_system
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.tag_auxiliary import train_auxiliary

examples = [one for one in sample_project("flight_slots").corpus if one.spans is not None][:20]
system = sample_system("flight_slots")
texts = tagged_texts(examples, system.tokenization)
config = TaggerConfig(vectors="none", auxiliary_states=4, word_dimensions=4)
bundle = start_tagger(system, Corpus(tuple(examples)), texts, config)
assert bundle.network.auxiliary is not None
train_auxiliary(bundle.network, TagEncoder(bundle).examples(texts), TrainConfig(epochs=1, device="cpu"), 0)
"""
COMPILER, FIGURES = "torch._dynamo", "sklearn"


@pytest.mark.parametrize(
    "training", [pytest.param(SLOTS, id="slots", marks=pytest.mark.long), pytest.param(ENCODER, id="encoder")]
)
def test_a_training_of_slots_loads_no_compiler(tmp_path: Path, training: str) -> None:
    assert COMPILER not in loaded(training, tmp_path)


def test_a_training_of_labels_loads_nothing_that_is_slow(tmp_path: Path) -> None:
    assert loaded(LABELS, tmp_path) == []


@pytest.mark.long
def test_torch_s_own_optimizer_would_load_it(tmp_path: Path) -> None:
    program = "import torch\ntorch.optim.LBFGS([torch.zeros(1, requires_grad=True)])"
    assert loaded(program, tmp_path) == [COMPILER]


def loaded(training: str, folder: Path) -> list[str]:
    """What a program has loaded at its end of what is slow; it has a `folder`."""
    lines = (
        "import sys",
        "from pathlib import Path",
        f"sys.path.insert(0, {str(TESTS)!r})",
        f"folder = Path({str(folder)!r})",
        training,
        f"print(*[name for name in {(COMPILER, FIGURES)!r} if name in sys.modules], sep=',')",
    )
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return [name for name in run.stdout.splitlines()[-1].split(",") if name]
