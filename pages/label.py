"""Label: is this right? One text after the other with its answer ready, or a list to accept many at once."""

from __future__ import annotations

from pages._shared.catalog import LABEL
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body
from re2nn_core.task import Task

KEYS = [
    ("1 … 9, 0", "choose a label; each keeps its digit"),
    ("Enter", "keep or accept, and go on"),
    ("→", "go on without a label"),
    ("←", "go back"),
    ("U", "undo your last label; in a team’s queue also a skip or a flag"),
    ("S, F", "team’s queue: skip; flag for a reviewer, with the note beside it"),
    ("A", "team’s queue: the same label for all texts that are word for word this one"),
    ("G", "flagged texts: give it back to the queue"),
]
SLOT_KEYS = [
    ("← → ↑ ↓", "move over the words; ← → at the ends: another text"),
    ("Shift+arrow", "select words"),
    ("1 … 9, 0", "give the selected words, or the mark, this slot"),
    ("S", "name a slot without a digit, or a new one"),
    ("Backspace, X", "remove the mark"),
    ("[ ]", "move the first or last border outwards; { } inwards"),
    ("Alt+← →", "move the last border; with Shift the first one"),
    ("A", "mark the same words wherever they stand in this text"),
    ("Shift+A", "then in all other texts that nobody has judged"),
    ("T", "take what rules or network say"),
    ("N", "take all marks away: nothing in this text"),
    ("Enter", "save and go on"),
    ("U", "undo: the last change, then what you saved last"),
    ("Page up, down", "another text, nothing saved"),
    ("Shift+S, F", "team’s queue: skip; flag for a reviewer, with the note below"),
    ("Shift+Enter", "team’s queue: save for all texts that are word for word this one"),
    ("G", "flagged texts: give it back to the queue"),
]

draw_bar(LABEL, KEYS, {Task.SLOT_FILLING: SLOT_KEYS})
draw_body("pages._label.page")
