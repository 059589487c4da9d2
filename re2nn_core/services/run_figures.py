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
    figures = (run.result or {}).get("figures") or ()
    if any(pair["name"] == LEARNED_FROM and pair.get("near_rules") is not None for pair in figures):
        return LEARNED_FROM  # as `dev_of` takes both from these
    return epoch_dev_name(run)


def epoch_dev_name(run: RunRecord) -> str:
    """The name of the dev figure of each epoch, which a network that was brought near rules after it has no more."""
    result = run.result or {}
    told = [pair["name"] for pair in result.get("figures") or ()]
    for name in (DEV, HELD_OUT):
        if name in told:
            return name
    return HELD_OUT if result.get("turns") or result.get("from_dev") else DEV
