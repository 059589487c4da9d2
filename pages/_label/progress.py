"""How far the person is, and everybody."""

from __future__ import annotations

from pages._shared.drawing.markup import escape, html
from pages._shared.session import state
from re2nn_core.services.annotation.classification import LabellingProgress

_SHOWN_PEOPLE = 4


def draw_progress(found: LabellingProgress, having: str) -> None:
    """One line: mine, everybody's, the project's. `having`: what the counted texts have."""
    me = state.person()
    others = [(name, count) for name, count in found.people if name != me][:_SHOWN_PEOPLE]
    share = found.labelled / found.texts if found.texts else 0.0
    people = "".join(
        f'<div class="re2-figure"><b>{count:,}</b> <span>{escape(name)}</span></div>'
        for name, count in [(f"by you ({me})", found.of(me)), *others]
    )
    html(
        f'<div class="re2-figures">{people}'
        f'<div class="re2-figure"><b>{found.labelled:,}</b> <span>of {found.texts:,} texts {having}</span> '
        f'<span class="re2-meter"><i style="width:{100 * share:.1f}%"></i></span></div></div>'
    )
