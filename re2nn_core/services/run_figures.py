"""What the dev figure of a finished run is called: the same name wherever it is shown (dev_figures.py)."""

from __future__ import annotations

from re2nn_core.services.dev_figures import DEV, HELD_OUT, LEARNED_FROM
from re2nn_core.store import RunRecord

SAID = {
    HELD_OUT: "the mean over shares of the labelled texts, each by a network that has not learned from it",
    LEARNED_FROM: "the network has learned from these texts, so a gain here proves little",
}


def run_dev_name(run: RunRecord) -> str:
    """The name of what a training told as its dev figure; by its turns, where it is older than these names."""
    result = run.result or {}
    told = [pair["name"] for pair in result.get("figures", ())]
    for name in (DEV, HELD_OUT):
        if name in told:
            return name
    return HELD_OUT if result.get("turns") or result.get("from_dev") else DEV


def split_name(split: str, *, learned_from_dev: bool) -> str:
    """The name of the figures of a split that a network was measured on after its training."""
    return LEARNED_FROM if split == "dev" and learned_from_dev else split
