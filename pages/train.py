"""Fine-tune: what will it learn from, and is it getting better? Examples, start, live curve, runs, figures."""

from __future__ import annotations

from pages._shared.catalog import TRAIN
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

draw_bar(TRAIN)
draw_body("pages._train.page")
