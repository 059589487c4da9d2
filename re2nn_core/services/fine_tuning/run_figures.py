"""What the dev figure of a run is called: the same name wherever and whenever it is shown (dev_figures.py)."""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.services.fine_tuning.dev_figures import (
    DEV,
    HELD_OUT,
    HELD_OUT_FIFTH,
    LEARNED_FROM,
    TEST,
    USED_FOR_SUGGESTING,
    dev_of,
    figure_today,
    with_layer_in_words,
)
from re2nn_core.services.fine_tuning.manual_overrides import run_settings
from re2nn_core.services.fine_tuning.reports import learns_spans
from re2nn_core.store import RunRecord
from re2nn_core.text.counting import counted


def run_dev_name(run: RunRecord, reported: str | None = None) -> str:
    """The name of what a training told as its dev figure; by its turns, where it is older than these names. `reported`
    as for `epoch_dev_name`."""
    figures = (run.result or {}).get("figures") or ()
    if any(figure_today(pair["name"]) == LEARNED_FROM and pair.get("near_rules") is not None for pair in figures):
        return LEARNED_FROM  # as `dev_of` takes both from these
    return _named_in_figures(run) or epoch_dev_name(run, reported)


def epoch_dev_name(run: RunRecord, reported: str | None = None) -> str:
    """The name of the dev figure of each epoch, which a network that was brought near rules after it has no more.
    `reported`: what the points of its curve call it, None where they do not."""
    result, name = run.result or {}, _named_in_figures(run)
    if name == HELD_OUT and _layer_took_turns(run):
        return HELD_OUT_FIFTH
    if name or reported is not None:
        return name or reported or DEV
    return HELD_OUT if result.get("turns") or result.get("from_dev") else DEV


def _named_in_figures(run: RunRecord) -> str:
    """What the dev figure is called among those that the training told; empty where it told none."""
    names = [figure_today(pair["name"]) for pair in (run.result or {}).get("figures") or ()]
    return next((name for name in (DEV, HELD_OUT, HELD_OUT_FIFTH, USED_FOR_SUGGESTING) if name in names), "")


def _with_layer_alone(run: RunRecord) -> bool:
    """Whether the rules with a linear layer are kept, behind epochs of a network without it. A training of slots
    without epochs has no curve, and an auxiliary encoder with the layer."""
    result = run.result or {}
    return bool(result.get("best_epoch") == 0 and result.get("linear_weight") and result.get("epochs", 1))


def _layer_took_turns(run: RunRecord) -> bool:
    """Whether that layer is measured on all labelled train texts, and the epochs on every fifth of them."""
    return _with_layer_alone(run) and learns_spans(run) and _named_in_figures(run) not in ("", DEV)


@dataclass(frozen=True)
class NamedFigure:
    """A figure of a run as a share of 1, of which split, and what it is measured on: `test, 60 texts`."""

    share: float
    split: str
    base: str


def measured_texts(run: RunRecord, name: str) -> int | None:
    """How many texts the figure of this name is measured on; None where the run did not note it."""
    counts = {figure_today(pair["name"]): pair.get("texts") for pair in (run.result or {}).get("figures") or ()}
    texts = counts.get(name)
    return texts if isinstance(texts, int) else None


def interval_count(run: RunRecord, name: str, *, untrained: bool) -> float | None:
    """As many texts, or independent spans, as the figure of this name of the untrained or the kept network is worth;
    None where the run did not note it."""
    if not learns_spans(run):
        return measured_texts(run, name)
    worth = {figure_today(pair["name"]): pair.get("spans") for pair in (run.result or {}).get("figures") or ()}
    both = worth.get(name)
    return both[0 if untrained else 1] if both else None


def named_figure(run: RunRecord) -> NamedFigure | None:
    """The figure that says most about other texts, that on test, else that on dev; None where there is neither."""
    result = run.result or {}
    name, share = TEST, result.get("test")
    if not isinstance(share, float):
        name, (_, share) = run_dev_name(run), dev_of(result)
    if not isinstance(share, float):
        return None
    texts = measured_texts(run, name)
    return NamedFigure(share, name, f"{name}, {counted(texts, 'text')}" if texts else name)


def chosen_behind(run: RunRecord) -> str:
    """What was done to the network behind its last epoch, so that its dev figure can be another than that of the kept
    epoch; the rest of a sentence that begins with the figure."""
    network, result = run_settings(run, "network"), run.result or {}
    if _with_layer_alone(run):
        return with_layer_in_words(turns=_layer_took_turns(run))
    if any(pair.get("near_rules") is not None for pair in result.get("figures") or ()):
        return "is of the network after faithful training; the curve is measured before that."
    if network.get("auxiliary", "none") == "none" and result.get("linear_weight") and result.get("epochs", 1):
        return "is with the linear layer; the epochs are of the network without it."
    if network.get("auxiliary", "none") != "none":
        share = network.get("auxiliary_weight", 1.0)
        counted = f"weight {share:g}"
        return (
            f"is with the weight of the auxiliary encoder chosen after training; the curve is measured with {counted}."
        )
    if network.get("detached"):
        return "is with the minimum confidence chosen after training; the curve is measured with the one set before."
    return "is of the network chosen after training, as Training plan says; the curve is measured before that."
