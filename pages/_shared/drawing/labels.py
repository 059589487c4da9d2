"""Labels look the same everywhere: one colour for each, by its place among the project's labels.

The colours are of middle lightness, so that they stand out on a light and on a dark page; the label's name
always stands beside its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from pages._shared.drawing.markup import escape
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.task_services import services_for
from re2nn_core.services.values.stored import ProjectRecord, Store
from re2nn_core.task import Task

COLOURS = (
    "#2f7fd0", "#d9772b", "#2e9e6b", "#c2528b", "#8a63d2", "#b3912a",
    "#17a0a8", "#d0504a", "#6f8f2f", "#5f6fd8", "#a5672f", "#b05ac8",
    "#4d8f86", "#e08a9b", "#7a7f87", "#4aa3df",
)  # fmt: skip
UNKNOWN = "#8a8f94"
NO_LABEL = "no label"
NO_PREDICTION = "no prediction"
_SHORT = 20


@dataclass(frozen=True)
class Palette:
    """Labels in their order; a label that is not among them is grey."""

    labels: tuple[str, ...]

    def colour(self, label: str) -> str:
        """The label's colour as #rrggbb."""
        return COLOURS[self.labels.index(label) % len(COLOURS)] if label in self.labels else UNKNOWN

    def colours(self, labels: Sequence[str]) -> list[str]:
        return [self.colour(label) for label in labels]

    def chip(self, label: str | None, *, missing: str = NO_LABEL) -> str:
        """The label as a chip, escaped HTML; a dashed chip that says `missing` for None."""
        if label is None:
            return f'<span class="re2-chip re2-none">{escape(missing)}</span>'
        # A long one is cut on narrow screens.
        whole = f' title="{escape(label)}"' if len(label) > _SHORT else ""
        return f'<span class="re2-chip" style="--chip:{self.colour(label)}"{whole}>{escape(label)}</span>'


def palette_of(project_id: int, more: Sequence[str] = ()) -> Palette:
    """The palette of a project: labels or slots of its texts in the order they came, then `more` (those of its
    rules).
    """
    project = get_project(store(), project_id)
    return _palette(_in_use(store().url, project_id, project.updated_at, project.task), more)


def read_palette(store: Store, project: ProjectRecord, more: Sequence[str] = ()) -> Palette:
    """The same, read anew and without a session, as another thread needs it."""
    return _palette(services_for(project.task).labels_in_use(store, project.id), more)


def _palette(in_use: tuple[tuple[str, ...], tuple[str, ...]], more: Sequence[str]) -> Palette:
    """What people mark goes last, so that no mark changes the colours of the other slots."""
    came, given = in_use
    return Palette(tuple(dict.fromkeys([*came, *more, *given])))


@st.cache_resource(show_spinner=False, max_entries=16)
def _in_use(url: str, project_id: int, changed: datetime, task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return services_for(task).labels_in_use(store(), project_id)


def button_style(keys: str, labels: Sequence[str], palette: Palette, chosen: str | None = None) -> str:
    """A style sheet as HTML for buttons with the keys `{keys}_1_…`, `{keys}_2_…`: each has its label's colour at the
    side, the chosen one a full border as well."""
    rules = []
    for number, label in enumerate(labels, start=1):
        colour = palette.colour(label)
        strong = f"outline:2px solid {colour};background:color-mix(in srgb,{colour} 16%,transparent);"
        rules.append(
            f'[class*="st-key-{keys}_{number}_"] button{{border-left:6px solid {colour};'
            f"{strong if label == chosen else ''}}}"
        )
    return f"<style>{''.join(rules)}</style>"
