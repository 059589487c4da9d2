"""What the page Label says where texts carry marks instead of a label."""

from __future__ import annotations

from pages._label.choose_queue import AGAIN, SELECTION, Wording
from pages._shared.catalog import TRAIN

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
)


def marks(count: int) -> str:
    """So many marks, in words."""
    return "nothing" if count == 0 else "1 mark" if count == 1 else f"{count} marks"


def texts(count: int, which: str = "") -> str:
    """So many texts, in words."""
    return f"1 {which}text" if count == 1 else f"{count:,} {which}texts"
