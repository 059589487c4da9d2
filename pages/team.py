"""Team: how far are we, and do we agree? Progress, agreement, review, which labels train, the log, people."""

from __future__ import annotations

from pages._shared.catalog import TEAM
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

KEYS = [
    ("A, B, D …", "review: choose this annotation"),
    ("1 … 9, 0", "other label"),
    ("Enter", "choose the suggested annotation"),
    ("S", "postpone this text"),
    ("U", "undo your last adjudication"),
]

draw_bar(TEAM, KEYS)
draw_body("pages._team.page")
