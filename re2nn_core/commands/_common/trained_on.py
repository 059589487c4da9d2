"""What commands report of a model's training: the labels that a project's run was trained on, and which of the texts in
front of it were used for training. Models trained from files have no policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from re2nn_core.text.counting import counted


def trained_on(model: Path | None) -> tuple[dict[str, Any], str]:
    """What is kept in the model's folder: for programs, and as the end of a report. Empty where nothing is."""
    from re2nn_core.services.fine_tuning.run_material import kept_material

    material = None if model is None else kept_material(model)
    if material is None:
        return {}, ""
    return {"trained_on": material.as_data}, f"\n\nThe network: {material.in_words[:1].lower()}{material.in_words[1:]}"


def learned_from_dev(model: Path, figures: Mapping[str, Any], texts: Sequence[str]) -> bool:
    """Whether a model was trained on these dev texts: on most of them, or, where its folder does not keep its texts or
    there are no dev texts, as its figures say."""
    from re2nn_core.services.fine_tuning.training_texts import used_for_training
    from re2nn_core.services.rule_review.split_roles import network_learned_from_dev

    used = used_for_training(model, texts)
    return 2 * sum(used) > len(used) if used else network_learned_from_dev(figures)


def training_texts_among(model: Path | None, texts: Sequence[str], *, measured: bool) -> tuple[dict[str, Any], str]:
    """How many of the texts were used to train the model: for programs (None where that is not known), and as a note
    at the end of a report, empty where none was. `measured`: figures on the texts are reported."""
    from re2nn_core.services.fine_tuning.training_texts import used_for_training

    if model is None:
        return {}, ""
    used = used_for_training(model, texts)
    count = None if used is None else sum(used)
    if not count:
        return {"used_for_training": count}, ""
    which = "All" if count == len(texts) else f"{count:,}"
    verb = "was" if count == 1 else "were"
    meaning = "; on new texts the network's figures are usually lower" if measured else ""
    message = f"{which} of {counted(len(texts), 'text')} {verb} used for training{meaning}."
    return {"used_for_training": count}, f"\n\nNote: {message}"
