"""Compare: what did training change, and do I agree? A review of the changes, or of two versions of the rules."""

from __future__ import annotations

from pages._shared.catalog import COMPARE
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

KEYS = [
    ("J K", "next and previous change"),
    ("A", "accept the change, or open it again; under By word to the button that accepts"),
    ("R", "reject the change, or open it again"),
    ("E", "edit the reconstructed rule; under By word to the table of edits"),
    ("U", "undo the last decision; with Shift redo it"),
    ("N P", "next and previous change, in a drawing"),
]

draw_bar(COMPARE, KEYS)
draw_body("pages._compare.page")
