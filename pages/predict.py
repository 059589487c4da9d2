"""Predict: what do rules or network say about new texts? Upload or paste, look, download, send on to labelling."""

from __future__ import annotations

from pages._shared.catalog import PREDICT
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

draw_bar(PREDICT, [("↑ ↓", "move through the rows"), ("Ctrl+Enter", "predict pasted texts")])
draw_body("pages._predict.page")
