"""Results: what do the published systems reach, here and in the papers? And which system is best for my own texts?"""

from __future__ import annotations

from pages._shared.catalog import RESULTS
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

draw_bar(RESULTS, [("← → ↑ ↓", "move from cell to cell of a table")])
draw_body("pages._results.page")
