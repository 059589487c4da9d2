"""How far the team is: mine, everybody's, what waits for a second annotation, what is flagged."""

from __future__ import annotations

from pages._shared.cached.recent import Recent, recent
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.annotation.queue_progress import QueueProgress, queue_progress
from re2nn_core.services.annotation.team_annotation import TeamQueueState


def progress_now(project_id: int, since: float = 0.0) -> Recent[QueueProgress]:
    """The figures, a moment old in a large project, but not from before `since`."""
    opened = store()
    return recent(("queue", opened.url, project_id), lambda: queue_progress(opened, project_id), since=since)


def draw_line(team: TeamQueueState, found: Recent[QueueProgress], overlap: int) -> None:
    """One line; what this person saved after the labels that the figures count is added."""
    me, team_progress = state.person(), found.value
    since = team.given_after(team_progress.last_of(me))
    done = min(team_progress.wanted, max(0, team_progress.done + since))
    share = done / team_progress.wanted if team_progress.wanted else 0.0
    figures = [
        (max(0, team_progress.of(me) + since), f"by you ({me})", ""),
        (done, f"of {team_progress.wanted:,} annotations", _meter(share)),
        *([(team_progress.second, "need another annotation", "")] if overlap > 1 else []),
        *([(team_progress.flagged, "flagged", "")] if team_progress.flagged else []),
    ]
    html('<div class="re2-figures">' + "".join(map(_figure, figures)) + "</div>")


def _figure(figure: tuple[int, str, str]) -> str:
    count, what, meter = figure
    return f'<div class="re2-figure"><b>{count:,}</b> <span>{escape(what)}</span>{meter}</div>'


def _meter(share: float) -> str:
    return f' <span class="re2-meter"><i style="width:{100 * share:.1f}%"></i></span>'
