"""The log in plain words, with filters."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import streamlit as st

from pages._shared.catalog import RULES
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import choose_row
from pages._shared.resources import store
from pages._team.review_state import ask_for
from re2nn_core.guide.glossary import definition
from re2nn_core.services.projects.stored_projects import list_events
from re2nn_core.services.team.activity import KINDS, LogFilter, LogLine, log_as_csv, log_lines_of, read_log
from re2nn_core.services.team.stored_people import people_in_log
from re2nn_core.services.values.stored import ProjectRecord

_PAGE = 50
_ANYBODY = "anybody"


def draw_activity(project: ProjectRecord) -> None:
    """Filters, a page of lines, and the chosen one."""
    wanted = _filters(project)
    pages = st.session_state.setdefault("_team_log_pages", {})
    # The events behind which the pages so far begin; another filter starts anew.
    behind: list[int] = pages.setdefault((project.id, wanted), [])
    if len(pages) > 1:
        for key in [key for key in pages if key != (project.id, wanted)]:
            del pages[key]
    with messages.guard("Loading the log") as outcome:
        lines = read_log(store(), project, wanted, before=behind[-1] if behind else None, limit=_PAGE + 1)
    if not outcome.ok:
        return
    if not lines:
        messages.empty("No such activity.", "Choose other filters, or clear them.")
        return
    row = choose_row(
        {
            "when": [line.event.created_at for line in lines[:_PAGE]],
            "words": [line.words for line in lines[:_PAGE]],
            "text": ["" if line.text is None else line.text.text for line in lines[:_PAGE]],
        },
        key=f"team_log_{len(behind)}",
        config={
            "when": st.column_config.DatetimeColumn(
                "When (UTC)", format="YYYY-MM-DD HH:mm:ss", width=150, timezone="UTC"
            ),
            "words": st.column_config.TextColumn('Activity', width="large"),
            "text": st.column_config.TextColumn("Text", width="medium"),
        },
        height=392,
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Newer", key="team_log_newer", icon=":material/arrow_back:", disabled=not behind, on_click=behind.pop)
        st.button(
            "Older", key="team_log_older", icon=":material/arrow_forward:", disabled=len(lines) <= _PAGE,
            on_click=behind.append, args=(lines[min(_PAGE, len(lines)) - 1].event.id,),
        )  # fmt: skip
        html(f'<span class="re2-muted">page {len(behind) + 1:,}</span>')
        download(
            "Export all as CSV",
            lambda: log_as_csv(store(), project, wanted),
            "activity.csv",
            "text/csv",
            key="team_log_csv",
        )
    if row is not None and row < len(lines[:_PAGE]):
        _draw_chosen(project, lines[row])


def _filters(project: ProjectRecord) -> LogFilter:
    columns = st.columns([3, 5, 4, 4], gap="small")
    people = [_ANYBODY, *people_in_log(store(), project.id)]
    person = columns[0].selectbox("Who", range(len(people)), format_func=people.__getitem__, key="team_log_who") or 0
    kinds = columns[1].multiselect("What", list(KINDS), key="team_log_kinds", placeholder="everything")
    search = columns[2].text_input(
        "Text", key="team_log_text", placeholder="number or a part of it", help="Text number as shown on the pages"
    )
    days = columns[3].date_input("Days (UTC)", (), key="team_log_days", format="YYYY-MM-DD")
    first, last = _days(days)
    return LogFilter(tuple(kinds), people[person] if person else None, search.strip(), first, last)


def _days(chosen: date | tuple[date, ...] | None) -> tuple[datetime | None, datetime | None]:
    """The first moment of the first day, and the one behind the last day; None where nothing is chosen."""
    days = chosen if isinstance(chosen, tuple) else () if chosen is None else (chosen,)
    if not days:
        return None, None
    begin = datetime.combine(days[0], time(), UTC)
    return begin, datetime.combine(days[-1], time(), UTC) + timedelta(days=1) if len(days) > 1 else None


def _draw_chosen(project: ProjectRecord, line: LogLine) -> None:
    """The text with all that happened to it, or a way to the rule version."""
    with st.container(border=True, key="team_log_chosen"):
        if line.text is not None:
            html(f'<div class="re2-case-text">{escape(line.text.text)}</div>')
            events = list_events(store(), project.id, text_id=line.text.id, limit=30)
            reported = "".join(
                f"<div>{one.event.created_at:%Y-%m-%d %H:%M} {escape(one.words)}</div>"
                for one in log_lines_of(store(), project, events)
            )
            html(f'<div class="re2-notes">{reported}</div>')
            st.button(
                'Open in Review', key="team_log_review", icon=":material/gavel:", on_click=ask_for,
                args=(project.id, (line.text.id,)),
            )  # fmt: skip
            return
        html(escape(line.words))
        number = (line.event.data or {}).get("number")
        if line.event.kind == "version" and number is not None:
            st.page_link(
                RULES.file, label=f'See rules v{number}', icon=RULES.icon, help=definition("Version"),
                query_params={"project": str(project.id), "version": str(number)},
            )  # fmt: skip
