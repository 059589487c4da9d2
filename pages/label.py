"""Label: is this right? One text after the other with its prediction ready, or a list to accept many at once."""

from __future__ import annotations

from pages._shared.catalog import LABEL
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body
from re2nn_core.task import Task

KEYS = [
    ("1 … 9, 0", "choose a label; each keeps its digit"),
    ("Enter", "keep or accept, then next text"),
    ("→", "skip without a label"),
    ("←", "previous text"),
    ("U", "undo your last label; in a team queue also a skip or a flag"),
    ("S, F", "team queue: skip; flag for a reviewer, with the note"),
    ("A", "team queue: the same label for all identical texts"),
    ("G", "flagged texts: return to the queue"),
]
SLOT_KEYS = [
    ("← → ↑ ↓", "move between words; ← → at the ends: previous or next text"),
    ("Shift+arrow", "select words"),
    ("1 … 9, 0", "assign this slot to the selected words or the span"),
    ("S", "name a slot without a digit, or a new one"),
    ("Backspace, X", "remove the span"),
    ("[ ]", "move the start or end outwards; { } inwards"),
    ("Alt+← →", "move the end; with Shift the start"),
    ("A", "annotate the same words in this text"),
    ("annotate the same words in this text", "then in all other texts without an annotation"),
    ("T", "use the prediction of rules or network"),
    ("N", "remove all spans: no slot in this text"),
    ("Enter", "save, then next text"),
    ("U", "undo: the last change, then the last save"),
    ("Page up, down", "previous or next text, without saving"),
    ("Shift+S, F", "team queue: skip; flag for a reviewer, with the note below"),
    ("Shift+Enter", "team queue: save for all identical texts"),
    ("G", "flagged texts: return to the queue"),
]

draw_bar(LABEL, KEYS, {Task.SLOT_FILLING: SLOT_KEYS})
draw_body("pages._label.page")
