"""What the dev figure of a tagger's training is called; see fine_tuning/dev_figures.py."""

from __future__ import annotations

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.dev_figures import DEV, out_of_fold_name
from re2nn_core.services.fine_tuning.slot_filling.split import SlotSplit, learned_split
from re2nn_core.training.config import TrainConfig


def slot_dev_name(split: SlotSplit, network: TaggerConfig, config: TrainConfig, rules_text: str = "") -> str:
    """The same for slots."""
    return out_of_fold_name(rules_text) if split.held_out or learned_split(split, network, config).turns else DEV
