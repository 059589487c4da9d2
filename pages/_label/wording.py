"""What the page Label says of labels, and of spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pages._shared.catalog import TRAIN

SELECTION = "selection"
AGAIN = "again"  # texts that are annotated already, to be looked at once more


@dataclass(frozen=True)
class Wording:
    """What a task calls its orders, what is said where one of them is empty, and the switch for texts with a label.
    `noun`: what texts get; `having`: what the counted texts have; `undone` and `annotated` (by whom): why a text is
    shown; `saved`: how many were; `saving`: what did not work where an error is shown."""

    titles: Mapping[str, str]
    nothing: Mapping[str, str]
    also: str
    also_help: str
    noun: str
    having: str
    undone: str
    annotated: str
    saved: str
    saving: str


LABELS = Wording(
    titles={
        SELECTION: "Selected on Predict",
        "uncertain": "Lowest confidence first",
        "differ": "Rules and network differ",
        "mismatch": "Prediction differs from label",
        "unlabelled": "Unlabelled",
        "random": "At random",
    },
    nothing={
        SELECTION: "All texts that you selected on Predict are done.",
        "uncertain": "Every text has a label. Switch on “Include labelled texts” to check them.",
        "differ": "Rules and network agree on all texts. An untrained network always agrees with its rules; select a "
        "training run in the bar above.",
        "mismatch": "Every prediction agrees with the label of its text.",
        "unlabelled": "Every text has a label.",
        "random": "Every text has a label. Switch on “Include labelled texts” to check them.",
    },
    also="Include labelled texts",
    also_help="Imported labels that nobody has checked yet",
    noun="label",
    having="have a label",
    undone="Undone: your last label.",
    annotated="{} has labelled this text.",
    saved="{} labels were saved. Undo reverts all of them.",
    saving="Saving the label",
)
MARKS = Wording(
    titles={
        SELECTION: "Selected on Predict",
        AGAIN: "Annotated together",
        "uncertain": "Lowest confidence first",
        "differ": "Rules and network differ",
        "mismatch": "Prediction differs from spans",
        "unlabelled": "Not annotated",
        "random": "At random",
    },
    nothing={
        SELECTION: "All texts that you selected on Predict are done.",
        AGAIN: "These are all texts that were annotated together.",
        "uncertain": "Every text is annotated. Switch on “Include annotated texts” to check them.",
        "differ": "Rules and network agree on all these texts. An untrained network always agrees with its rules; "
        f"switch on “Include annotated texts”, or select a training run in the bar above (page {TRAIN.title}).",
        "mismatch": "Every prediction agrees with the spans of its text.",
        "unlabelled": "Every text is annotated.",
        "random": "Every text is annotated. Switch on “Include annotated texts” to check them.",
    },
    also="Include annotated texts",
    also_help="Imported annotations that nobody has checked yet",
    noun="slot",
    having="are annotated",
    undone="Undone: your last annotation.",
    annotated="{} has annotated this text.",
    saved="Annotations of {} texts were saved. Undo reverts all of them.",
    saving="Saving the spans",
)
