"""No training loads torch's compiler, which takes longer than the fits of a training on a few hundred texts."""

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
COMPILER = "torch._dynamo"


@pytest.mark.parametrize("training", [LABELS], ids=["labels"])
def test_a_training_loads_no_compiler(tmp_path: Path, training: str) -> None:
    assert loaded(training, tmp_path) == "False"


def test_torch_s_own_optimizer_would_load_it(tmp_path: Path) -> None:
    program = "import torch\ntorch.optim.LBFGS([torch.zeros(1, requires_grad=True)])"
    assert loaded(program, tmp_path) == "True"


def loaded(training: str, folder: Path) -> str:
    """Whether a program has loaded the compiler at its end, which has a `folder`."""
    lines = (
        "import sys",
        "from pathlib import Path",
        f"sys.path.insert(0, {str(TESTS)!r})",
        f"folder = Path({str(folder)!r})",
        training,
        f"print({COMPILER!r} in sys.modules)",
    )
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()[-1]
