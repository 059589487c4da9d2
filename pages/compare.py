"""Compare: what did training change, and do I agree? The network read back as rules, beside the written ones."""

from __future__ import annotations

from pages._shared.bar import draw_bar
from pages._shared.catalog import COMPARE
from pages._shared.late import draw_body

draw_bar(COMPARE, [("↑ ↓", "go through the rules")])
draw_body("pages._compare.page")
