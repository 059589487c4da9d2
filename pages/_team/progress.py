"""How far the team is: each person, over time, label by label, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from pages._shared.cached.models import all_records_of
from pages._shared.catalog import LABEL
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.tables import html_table
from pages._shared.resources import store
from pages._shared.session.visible_labels import blind_for
from pages._team.data import Team, progress_of, seen_team_of
from pages._team.task_parts import parts_of
from pages._team.views import go_to
from re2nn_core.guide.glossary import definition
from re2nn_core.plots.team import Stretch, team_over_time
from re2nn_core.services.annotation.removed_members import removed_members_message, removed_with_texts
from re2nn_core.services.annotation.stored_queue import count_queue, get_queue
from re2nn_core.services.projects.stored_projects import read_policy
from re2nn_core.services.team.annotations import BLIND
from re2nn_core.services.team.team_progress import LabelProgress, Period, PersonProgress, TeamProgress
from re2nn_core.services.team.training_labels import to_confirm
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_HUNDREDS = "By annotations"


def draw_progress(project: ProjectRecord) -> None:
    """The whole part."""
    with messages.guard("Loading the annotations"):
        team, blind = seen_team_of(project), bool(blind_for(project))
        if blind:
            _draw_own_head(project, team)
        else:
            _draw_head(project, team)
        if not team.annotations.by_text:
            who = "You have not" if blind else "Nobody has"
            messages.empty(
                f"{who} annotated a text in this application yet.",
                "Label some texts first. Then progress, pace and agreement are shown here.",
                link=LABEL,
            )
            return
        found = progress_of(project, team)
        left, right = st.columns([11, 10], gap="medium")
        with left:
            _draw_people(found.people, alone=blind)
            _draw_labels(project, found.labels, alone=blind)
        with right:
            _draw_time(found, alone=blind)


def _draw_own_head(project: ProjectRecord, team: Team) -> None:
    """For somebody who labels blind: their own figures, and how far the queue is."""
    flagged = len(team.annotations.flags)
    html(
        f'<div class="re2-warn">{escape(BLIND)} Only your own figures are shown.</div>'
        + figures(
            [(f"{len(team.annotations.by_text):,}", "annotated by you", ""), (f"{flagged:,}", "flagged by you", "")]
        )
        + f'<div class="re2-muted">{_queue(project)}{_as_of(team)}</div>'
    )


def _draw_head(project: ProjectRecord, team: Team) -> None:
    team_annotations, records = team.annotations, all_records_of(project)
    having = parts_of(project).words.having
    labelled = sum(record.label is not None for record in records)
    several = sum(len(given) > 1 for given in team_annotations.by_text.values())
    confirmed = len(to_confirm(team_annotations, read_policy(project.policy)))
    waiting = len(team_annotations.waiting) + confirmed
    flagged = sum(why == "flagged" for why in team_annotations.waiting.values())
    also_flagged = f", {flagged:,} of them flagged" if flagged else ""
    alike = f", {confirmed:,} to be confirmed" if confirmed else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        html(
            figures(
                [
                    (f"{labelled:,}", f"of {len(records):,} texts {having}", _meter(labelled / len(records))),
                    (f"{len(team_annotations.by_text):,}", "annotated in this application", ""),
                    (f"{several:,}", "by two or more annotators", ""),
                    (f"{waiting:,}", f"wait for review{also_flagged}{alike}", ""),
                ]
            )
        )
        if waiting:
            st.button(
                'Review texts', key="team_to_review", icon=":material/gavel:", on_click=go_to, args=("review",),
                type="primary",
            )  # fmt: skip
    html(f'<div class="re2-muted">{_queue(project)}{_as_of(team)}</div>')
    removed = removed_members_message(removed_with_texts(store(), project.id))
    if removed:
        html(f'<div class="re2-warn">{escape(removed)}</div>')


def _meter(share: float) -> str:
    return f'<span class="re2-meter"><i style="width:{100 * share:.1f}%"></i></span>'


def _queue(project: ProjectRecord) -> str:
    queue = get_queue(store(), project.id)
    if queue is None:
        return "There is no queue: annotators choose texts on Label."
    counts = count_queue(store(), project.id)
    each = "one annotation per text" if queue.overlap == 1 else f"{queue.overlap} annotations per text"
    return (
        f"Queue, {each}{', blind' if queue.blind else ''}: {counts.done:,} annotations done, {counts.held:,} "
        f"in progress, {counts.waiting:,} waiting."
    )


def _as_of(team: Team) -> str:
    return "" if team.is_newest else f" As of {team.read_at:%H:%M:%S} UTC."


def _draw_people(people: Sequence[PersonProgress], *, alone: bool) -> None:
    st.subheader("You" if alone else "Annotators", anchor=False)
    most = max(person.texts for person in people) or 1
    rows = [
        [
            escape(person.name),
            f"{person.texts:,}{_meter(person.texts / most)}",
            _seconds(person.seconds),
            escape(ago(person.last)),
            _alike(person),
            f"{person.flagged:,}" if person.flagged else "·",
            f"{person.decided:,}" if person.decided else "·",
        ]
        for person in people
    ]
    head = ["Annotator", "Annotated", "Pace", "Last active", "Correct", "Flagged", "Adjudicated"]
    if alone:  # what is settled, others have said
        head, rows = head[:4], [row[:4] for row in rows]
    table = html_table(head, rows, numbers=range(1, len(head)), meanings={"Adjudicated": definition("Adjudication")})
    html(f'<div class="re2-tall re2-right re2-team-table">{table}</div>')
    adjudicated = (
        "" if alone else " Correct: share of the texts of this annotator with the adjudicated or agreed label."
    )
    st.caption(f"Pace: median time between two annotations, without breaks of ten minutes.{adjudicated}")


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "·"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def _alike(person: PersonProgress) -> str:
    if person.alike.value is None:
        return f'<span class="re2-undefined" title="{escape(person.alike.why)}">none</span>'
    return f'{person.alike.value:.0%} <span class="re2-muted">of {person.adjudicated:,}</span>'


def ago(moment: datetime) -> str:
    """How long ago, in words."""
    seconds = max(0.0, (datetime.now(UTC) - moment).total_seconds())
    if seconds < 90:
        return "now"
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "now"


def _draw_time(found: TeamProgress, *, alone: bool) -> None:
    unit, periods = found.unit, found.in_time
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Over time", anchor=False, width="content")
        by = st.segmented_control(
            "Over time", [f"By {unit}", _HUNDREDS], default=f"By {unit}", required=True, key="team_unit",
            label_visibility="collapsed",
        )  # fmt: skip
    if by == _HUNDREDS:
        unit, periods = "annotations, in their order", found.in_numbers
    st.plotly_chart(
        team_over_time(
            [_stretch(period) for period in periods],
            [person.name for person in found.people if person.texts],
            unit=f"{unit} (UTC)" if by != _HUNDREDS else unit,
            dark=dark(),
        ),
        key="team_time",
        config={"displayModeBar": False},
        alt="Annotations by annotator and agreement over time",
    )
    if alone:
        return
    if all(period.percent.value is None for period in periods):
        st.caption("No text has two annotations yet, so there is no agreement to draw.")
    else:
        st.caption("Line: agreement on the texts that got their last annotation at that time.")


def _stretch(period: Period) -> Stretch:
    return Stretch(period.name, period.counts, period.percent.value, period.texts)


def _draw_labels(project: ProjectRecord, found: Sequence[LabelProgress], *, alone: bool) -> None:
    words = parts_of(project).words
    st.subheader(words.nouns, anchor=False)
    palette = palette_of(project.id)
    rows = [_label_row(entry, palette, found[0].texts) for entry in found]
    head = [words.noun, "Texts", "Annotated by you" if alone else "Annotated", "Agreed"]
    if alone:
        head, rows = head[:3], [row[:3] for row in rows]
    html(f'<div class="re2-tall re2-right">{html_table(head, rows, numbers=range(1, len(head)))}</div>')
    if not alone:
        st.caption("Agreed: adjudicated, or the same annotation by two or more annotators.")


def _label_row(entry: LabelProgress, palette: Palette, most: int) -> list[str]:
    return [
        palette.chip(entry.label),
        f"{entry.texts:,}{_meter(entry.texts / most)}",
        f"{entry.annotated:,}" if entry.annotated else "·",
        f"{entry.adjudicated:,}" if entry.adjudicated else "·",
    ]
