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
    shown; `saved`: how many were."""

    titles: Mapping[str, str]
    nothing: Mapping[str, str]
    also: str
    also_help: str
    noun: str
    having: str
    undone: str
    annotated: str
    saved: str


LABELS = Wording(
    titles={
        SELECTION: "Chosen on Predict",
        "uncertain": "Least sure first",
        "differ": "Rules and network differ",
        "mismatch": "Answer is not the label",
        "unlabelled": "Without a label",
        "random": "At random",
    },
    nothing={
        SELECTION: "All texts that you chose on Predict are done.",
        "uncertain": "Every text has a label. Switch on “also texts with a label” to check those.",
        "differ": "Rules and network agree everywhere. Choose a trained run in the bar above: the untrained network "
        "always agrees with its rules.",
        "mismatch": "Each answer is the label that the text has.",
        "unlabelled": "Every text has a label.",
        "random": "Every text has a label. Switch on “also texts with a label” to check those.",
    },
    also="also texts with a label",
    also_help="Texts that came with a label and that nobody has checked yet",
    noun="label",
    having="have a label",
    undone="You took your label back.",
    annotated="{} has labelled this text.",
    saved="{} labels were saved. Undo takes all of them back.",
)
MARKS = Wording(
    titles={
        SELECTION: "Chosen on Predict",
        AGAIN: "Marked together",
        "uncertain": "Least sure first",
        "differ": "Rules and network differ",
        "mismatch": "Answer is not the marks",
        "unlabelled": "Nobody has said",
        "random": "At random",
    },
    nothing={
        SELECTION: "All texts that you chose on Predict are done.",
        AGAIN: "These are all texts that were marked together.",
        "uncertain": "Somebody has said of every text what stands in it. Switch on “also marked texts” to check those.",
        "differ": "Rules and network agree on all these texts. Switch on “also marked texts”, or choose another "
        f"trained run in the bar above (page {TRAIN.title}): the untrained network always agrees with its rules.",
        "mismatch": "Each answer is just the marks that the text has.",
        "unlabelled": "Somebody has said of every text what stands in it.",
        "random": "Somebody has said of every text what stands in it. Switch on “also marked texts” to check those.",
    },
    also="also marked texts",
    also_help="Texts that came with marks, or with the word that there are none, and that nobody has checked yet",
    noun="slot",
    having="are marked, or hold nothing",
    undone="You took your marks back.",
    annotated="{} has marked this text.",
    saved="The marks of {} texts were saved. Undo takes all of them back.",
)
