"""Label: is this right? One text after the other with its answer ready, or a list to accept many at once."""

from __future__ import annotations

from pages._shared.bar import draw_bar
from pages._shared.catalog import LABEL
from pages._shared.late import draw_body

KEYS = [
    ("1 … 9, 0", "choose a label; each keeps its digit"),
    ("Enter", "keep or accept, and go on"),
    ("→", "go on without a label"),
    ("←", "go back"),
    ("U", "undo your last label"),
]

draw_bar(LABEL, KEYS)
draw_body("pages._label.page")
