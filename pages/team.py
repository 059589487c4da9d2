"""Team: how far are we, and do we agree? Progress, agreement, review, which labels train, the log, people."""

from __future__ import annotations

from pages._shared.catalog import TEAM
from pages._shared.components.bar import draw_bar
from pages._shared.session.lazy_body import draw_body

KEYS = [
    ("A, B, D …", "review: take this answer"),
    ("1 … 9, 0", "another label"),
    ("Enter", "take the proposed answer"),
    ("S", "later: the next text first"),
    ("U", "undo your last decision"),
]

draw_bar(TEAM, KEYS)
draw_body("pages._team.page")
