"""experiment: the published tables and figures, run again (Jiang et al., EMNLP 2020, section 4, and EMNLP 2021)."""

from __future__ import annotations

import click

from re2nn_core.commands.experiments.beta import beta_command
from re2nn_core.commands.experiments.classification import classification_command
from re2nn_core.commands.experiments.curve import curve_command
from re2nn_core.commands.experiments.models import models_command
from re2nn_core.commands.experiments.parameters import parameters_command
from re2nn_core.commands.experiments.show import show_command
from re2nn_core.commands.experiments.slots import slots_command


@click.group(
    "experiment",
    commands=[
        classification_command,
        curve_command,
        beta_command,
        slots_command,
        parameters_command,
        show_command,
        models_command,
    ],
)
def experiment_command() -> None:
    """Run the published tables and figures again, or compare models on a project's own texts.

    Each command trains for several seeds and reports mean and standard deviation next to the published figure; each
    takes --json. With --output FILE all figures are kept after every run, and runs in the file are not repeated.

    \b
    Example: re2nn experiment classification --data SMS --portion 0.01 --seeds 4 --output results.json
    """
