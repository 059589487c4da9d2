"""How far a team is: each person, each label, over time, and what waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

import numpy as np

from re2nn_core.services.team.agreement import Coefficient, agreement
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.store import DECISION, Opinion, TextRecord
from re2nn_core.text.spans import read_spans

# A longer break between two annotations ends a sitting.
SITTING = timedelta(minutes=10)
# Below so many days time is told by hours, and agreement by annotations.
FEW_DAYS = 3
AT_A_TIME = 100
# No more stretches than a figure can show.
MOST_PERIODS = 60
NOTHING_ADJUDICATED = "none of their texts is adjudicated, or agreed on by two annotators"


@dataclass(frozen=True)
class PersonProgress:
    """`texts`: judged, with an annotation that stands. `seconds`: the median between two annotations of one sitting,
    None for fewer than two. `alike`: of the `adjudicated` ones among their texts the share where they say what was
    adjudicated."""

    name: str
    texts: int
    flagged: int
    decided: int
    seconds: float | None
    last: datetime
    adjudicated: int
    alike: Coefficient


@dataclass(frozen=True)
class LabelProgress:
    """A label or slot: texts that have it now, how many of these people annotated, and how many are settled."""

    label: str
    texts: int
    annotated: int
    adjudicated: int


@dataclass(frozen=True)
class Period:
    """A stretch of time with what was done in it by whom. `agreement` is over the texts that got their last annotation
    in it."""

    name: str
    counts: dict[str, int]
    texts: int
    percent: Coefficient
    alpha: Coefficient


@dataclass(frozen=True)
class TeamProgress:
    """All of it: time by `unit`, and by numbers of annotations."""

    people: tuple[PersonProgress, ...]
    labels: tuple[LabelProgress, ...]
    unit: str
    in_time: tuple[Period, ...]
    in_numbers: tuple[Period, ...]


def team_progress(records: Sequence[TextRecord], team_annotations: TeamAnnotations, *, slots: bool) -> TeamProgress:
    """How far the team of a project is; `records` are its texts."""
    unit, in_time = over_time(team_annotations)
    labels = label_progress(records, team_annotations, slots=slots)
    return TeamProgress(people_progress(team_annotations), labels, unit, in_time, by_hundreds(team_annotations))


def people_progress(team_annotations: TeamAnnotations) -> tuple[PersonProgress, ...]:
    """Each person, the most diligent in front."""
    by_person: dict[str, list[Opinion]] = {person: [] for person in team_annotations.people}
    for event in team_annotations.events:
        by_person[event.person].append(event)
    found = [_person(name, events, team_annotations) for name, events in by_person.items()]
    return tuple(sorted(found, key=lambda person: (-person.texts, person.name)))


def _person(name: str, events: Sequence[Opinion], team_annotations: TeamAnnotations) -> PersonProgress:
    own = team_annotations.ratings.get(name, {})
    adjudicated = {text_id: label for text_id in own if (label := team_annotations.adjudicated(text_id)) is not None}
    alike = sum(own[text_id] == label for text_id, label in adjudicated.items())
    kinds = Counter(event.kind for event in events)
    return PersonProgress(
        name=name,
        texts=len(own),
        flagged=kinds["flag"],
        decided=kinds[DECISION],
        seconds=seconds_between(event.at for event in events if event.batch is None),
        last=max(event.at for event in events),
        adjudicated=len(adjudicated),
        alike=Coefficient(alike / len(adjudicated)) if adjudicated else Coefficient(None, NOTHING_ADJUDICATED),
    )


def seconds_between(moments: Iterable[datetime]) -> float | None:
    """The median time between two moments of one sitting; None where there are not two."""
    steps = [later - earlier for earlier, later in pairwise(sorted(moments))]
    seconds = [step.total_seconds() for step in steps if step <= SITTING]
    return median(seconds) if seconds else None


def label_progress(
    records: Sequence[TextRecord], team_annotations: TeamAnnotations, *, slots: bool
) -> tuple[LabelProgress, ...]:
    """Each label, or slot, the most frequent in front."""
    texts, by_people, adjudicated = Counter[str](), Counter[str](), Counter[str]()
    for record in records:
        if record.label is None:
            continue
        labels = {span.slot for span in read_spans(record.label)} if slots else {record.label}
        texts.update(labels)
        if record.annotator is not None:
            by_people.update(labels)
            if team_annotations.adjudicated(record.id) == record.label:
                adjudicated.update(labels)
    return tuple(
        LabelProgress(label, count, by_people[label], adjudicated[label]) for label, count in texts.most_common()
    )


def over_time(team_annotations: TeamAnnotations) -> tuple[str, tuple[Period, ...]]:
    """What was done when, by "day", or where there are few by "hour"; and how far people agreed. A text that somebody
    labelled again counts once, as for each person: when they said what stands."""
    labels = team_annotations.standing
    hours = [event.at.toordinal() * 24 + event.at.hour for event in labels]
    unit = "day" if len({hour // 24 for hour in hours}) >= FEW_DAYS else "hour"
    length = 24 if unit == "day" else 1
    # Named once for each: there may be a hundred thousand annotations in one of them.
    names = {hour // length: _period(event.at, unit) for hour, event in zip(hours, labels, strict=True)}
    return unit, _periods(labels, [names[hour // length] for hour in hours], team_annotations)


def by_hundreds(team_annotations: TeamAnnotations) -> tuple[Period, ...]:
    """The same for every hundred annotations in turn; for more where there are very many."""
    labels = team_annotations.standing
    length = AT_A_TIME * max(1, -(-len(labels) // (AT_A_TIME * MOST_PERIODS)))
    names = [f"{first + 1:,} to {min(first + length, len(labels)):,}" for first in range(0, len(labels), length)]
    return _periods(labels, [names[number // length] for number in range(len(labels))], team_annotations)


def _period(moment: datetime, unit: str) -> str:
    return moment.strftime("%Y-%m-%d" if unit == "day" else "%Y-%m-%d %H:00")


def _periods(labels: Sequence[Opinion], names: Sequence[str], team_annotations: TeamAnnotations) -> tuple[Period, ...]:
    counts: dict[str, Counter[str]] = {}
    last: dict[int, str] = {}
    for event, name in zip(labels, names, strict=True):
        counts.setdefault(name, Counter())[event.person] += 1
        if len(team_annotations.by_text[event.text_id]) > 1:
            last[event.text_id] = name
    texts: dict[str, list[int]] = {name: [] for name in counts}
    for text_id, name in last.items():
        texts[name].append(text_id)
    found = []
    for name, count in counts.items():
        of_period = agreement(team_annotations.table.at(np.asarray(texts[name], dtype=np.int64)))
        found.append(Period(name, dict(count), of_period.texts, of_period.percent, of_period.alpha))
    return tuple(found)
