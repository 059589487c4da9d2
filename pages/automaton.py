"""See automaton: what does the machine do with my sentence? Drawing, sizes, and a sentence word by word."""

from __future__ import annotations

from pages._automaton.page import draw_page
from pages._shared.catalog import AUTOMATON
from pages._shared.components.automaton_canvas import draw_canvas_script
from pages._shared.components.bar import draw_bar
from pages._shared.session import state

draw_bar(AUTOMATON, [("← →", "on a word of the sentence: previous or next word"), ("+ − 0", "zoom, fit the drawing")])
draw_canvas_script()
project = state.require_project()
draw_page(project, state.current_version(project))
