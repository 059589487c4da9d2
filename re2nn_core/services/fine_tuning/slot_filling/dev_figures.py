"""What the dev figure of a tagger's training is called; see fine_tuning/dev_figures.py."""

from __future__ import annotations

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.dev_figures import DEV, held_out_name
from re2nn_core.services.fine_tuning.slot_filling.split import SlotSplit, learned_split
from re2nn_core.training.config import TrainConfig


def slot_dev_name(split: SlotSplit, network: TaggerConfig, config: TrainConfig, rules_text: str = "") -> str:
    """What the dev figure of each epoch is called, for slots and a network that begins as these rules."""
    turns = bool(learned_split(split, network, config).turns)
    return held_out_name(rules_text, turns=turns) if split.held_out or turns else DEV
