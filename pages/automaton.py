"""See automaton: what does the machine do with my sentence? Drawing, sizes, and a sentence word by word."""

from __future__ import annotations

from pages._automaton.page import draw_page
from pages._shared.catalog import AUTOMATON
from pages._shared.components.bar import draw_bar
from pages._shared.session import state

draw_bar(AUTOMATON, [("← →", "on the slider: previous or next word")])
project = state.require_project()
draw_page(project, state.current_version(project))
