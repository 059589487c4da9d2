"""Compare: what did training change, and do I agree? The network read back as rules, beside the written ones."""

from __future__ import annotations

from pages._shared.catalog import COMPARE
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

KEYS = [
    ("↑ ↓", "go through the rules, or the edits"),
    ("E", "to the table of what was learned, edit by edit"),
    ("N P", "next and previous change, in a drawing"),
    ("A", "to the button that accepts what is chosen there; Enter accepts"),
]

draw_bar(COMPARE, KEYS)
draw_body("pages._compare.page")
