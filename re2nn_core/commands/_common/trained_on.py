"""What commands say of the labels that a project's run was trained on; models trained from files have no policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def trained_on(model: Path | None) -> tuple[dict[str, Any], str]:
    """What is kept in the model's folder: for programs, and as the end of a report. Empty where nothing is."""
    from re2nn_core.services.fine_tuning.run_material import kept_material

    material = None if model is None else kept_material(model)
    if material is None:
        return {}, ""
    return {"trained_on": material.as_data}, f"\n\nThe network: {material.in_words[:1].lower()}{material.in_words[1:]}"
