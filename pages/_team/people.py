"""Who works on the project, and how much each did."""

from __future__ import annotations

from pages._shared import messages, state
from pages._shared.catalog import LABEL
from pages._shared.markup import escape, html
from pages._shared.resources import store
from pages._shared.tables import html_table
from re2nn_core.services.people import role_of
from re2nn_core.store import labelled_by


def draw_people() -> None:
    """The names, their roles, and how many texts each has judged."""
    project = state.require_project()
    counts = labelled_by(store(), project.id)
    if not counts:
        messages.empty("Nobody has judged a text of this project yet.", "Whoever does is listed here.", link=LABEL)
        return
    rows = [[escape(name), escape(role_of(store(), name)), f"{count:,}"] for name, count in counts.items()]
    html(html_table(["Person", "Role", "Texts judged"], rows, numbers=(2,)))
