"""The log of a project in plain words: who did what to which text, and what was there before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.store import (
    DECISION,
    RESOLVE,
    REVIEW,
    Event,
    ProjectRecord,
    Store,
    TextRecord,
    list_events,
    read_policy,
    texts_by_id,
)
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.spans import read_spans

# Kinds of events as people choose them.
KINDS: dict[str, tuple[str, ...]] = {
    "labels": ("label",),
    "taken back": ("undo",),
    "decisions": (DECISION,),
    "flags and skips": ("flag", "skip", RESOLVE),
    "rule versions": ("version",),
    "reviews of changes": (REVIEW,),
    "runs": ("run", "run_end", "run_found"),
    "queue": ("queue", "share"),
    "texts and settings": ("project", "texts", "rename", "slot_case", "policy"),
}
_OF_RUNS = ("run", "run_end", "run_found")
# What a process does that nobody is asked about.
BY_ITSELF, _BY_ITSELF = "The program", ("run_end", "run_found")
_TRAINING = "train"
_OTHER_RUNS = {
    "curve": "a learning curve",
    "beta": "trainings with several values of beta",
    "models": "a comparison of systems",
}
COLUMNS = ("when", "who", "kind", "text number", "text", "what happened")
_AT_ONCE = 400


@dataclass(frozen=True)
class LogFilter:
    """Which events; each filter left empty takes all. `search` is a text's number, or a part of it."""

    kinds: tuple[str, ...] = ()
    person: str | None = None
    search: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class LogLine:
    """One event as people read it; `text` is the one it is about."""

    event: Event
    words: str
    text: TextRecord | None = None


@dataclass(frozen=True)
class _Run:
    """A run as pages call it, and who started it."""

    name: str
    person: str


@dataclass(frozen=True)
class _GivenLabel:
    """A text's label, and who gave it; None where it came with the data."""

    value: str | None
    person: str | None


@dataclass
class _Standing:
    """What stands of one text while its events are gone through."""

    gold: str | None
    events: dict[int, Event] = field(default_factory=dict)

    @property
    def label(self) -> _GivenLabel:
        decisions = [event for event in self.events.values() if event.kind == DECISION]
        labels = [event for event in self.events.values() if event.kind == "label"]
        given = decisions or labels
        return _GivenLabel(given[-1].value, given[-1].person) if given else _GivenLabel(self.gold, None)


def read_log(
    store: Store, project: ProjectRecord, wanted: LogFilter, *, before: int | None = None, limit: int = 50
) -> tuple[LogLine, ...]:
    """One page of the log, the newest event in front; `before` is the event behind which it begins."""
    search = wanted.search.strip()
    number = int(search.lstrip("#")) if search.lstrip("#").isdecimal() and search.isascii() else None
    events = list_events(
        store,
        project.id,
        kinds=[kind for name in wanted.kinds for kind in KINDS[name]],
        person=wanted.person,
        number=number,
        search="" if number is not None else search,
        since=wanted.since,
        until=wanted.until,
        before=before,
        limit=limit,
    )
    return log_lines_of(store, project, events)


def log_lines_of(store: Store, project: ProjectRecord, events: Sequence[Event]) -> tuple[LogLine, ...]:
    """Events in words."""
    ids = sorted({event.text_id for event in events if event.text_id is not None})
    runs = _runs(store, project.id) if any(event.kind in _OF_RUNS for event in events) else {}
    texts = texts_by_id(store, ids)
    changes = _changes(list_events(store, project.id, text_ids=ids, limit=None), texts) if ids else {}
    lines = []
    for event in events:
        text = None if event.text_id is None else texts.get(event.text_id)
        lines.append(LogLine(event, _in_words(event, project, text, changes, runs), text))
    return tuple(lines)


@dataclass(frozen=True)
class _Change:
    """A text's label before and after an event, and the event that this one takes back."""

    before: _GivenLabel
    after: _GivenLabel
    undone: Event | None


def _changes(events: Iterable[Event], texts: Mapping[int, TextRecord]) -> dict[int, _Change]:
    standing: dict[int, _Standing] = {}
    found = {}
    for event in sorted(events, key=lambda event: event.id):
        if event.text_id is None or event.text_id not in texts:
            continue
        one = standing.setdefault(event.text_id, _Standing(texts[event.text_id].gold))
        before = one.label
        undone = None if event.undoes is None else one.events.pop(event.undoes, None)
        if event.kind != "undo":
            one.events[event.id] = event
        found[event.id] = _Change(before, one.label, undone)
    return found


def _runs(store: Store, project_id: int) -> dict[int, _Run]:
    """What the log says of the runs of a project, by their ids."""
    started = sorted(list_events(store, project_id, kinds=("run",), limit=None), key=lambda event: event.id)
    found: dict[int, _Run] = {}
    trainings = 0
    for event in started:
        data = event.data or {}
        trainings += data.get("kind") == _TRAINING
        name = f"run {trainings:,}" if data.get("kind") == _TRAINING else _OTHER_RUNS.get(data.get("kind", ""), "a job")
        found[data.get("run", 0)] = _Run(name, event.person)
    return found


def _in_words(
    event: Event,
    project: ProjectRecord,
    text: TextRecord | None,
    changes: Mapping[int, _Change],
    runs: Mapping[int, _Run],
) -> str:
    who = event.person or (BY_ITSELF if event.kind in _BY_ITSELF else "Somebody")
    if event.kind in _OF_RUNS:
        message = _about_run(event, runs)
    elif text is not None:
        message = _about_text(event, text, changes[event.id], _ANNOTATIONS[project.task])
    else:
        message = _ABOUT.get(event.kind, _other)(event, event.data or {})
    return f"{who} {message}"


def _about_run(event: Event, runs: Mapping[int, _Run]) -> str:
    data = event.data or {}
    run = runs.get(data.get("run", 0), _Run("a run", ""))
    if event.kind == "run":
        return f"started {run.name}"
    whose = f", which {run.person} had started" if run.person not in ("", event.person) else ""
    if event.kind == "run_found":
        return f"found {run.name} still running{whose}"
    return f"ended {run.name}{whose}: {data.get('state')}"


@dataclass(frozen=True)
class _Annotation:
    """How it is reported that somebody gave a text an worded: before the text, behind it, and the worded itself."""

    verb: str
    link: str
    value_in_words: Callable[[str, str], str]


def _about_text(event: Event, text: TextRecord, change: _Change, form: _Annotation) -> str:
    where = f"text {text.position + 1:,}"

    def worded(value: str | None) -> str:
        return "no label" if value is None else form.value_in_words(value, text.text)

    if event.kind == "label":
        together = " together with others" if (event.data or {}).get("how") else ""
        verb, link = form.verb, form.link
        if change.before == change.after and change.after.value != event.value:
            return f"{verb} {where}{link} {worded(event.value)}; the adjudicated {worded(change.after.value)} stays"
        return f"{verb} {where}{link} {worded(event.value)}{together}{_was(change.before, event, worded)}"
    if event.kind == DECISION:
        message = (event.data or {}).get("between", {})
        if message and {*message.values()} == {event.value}:
            together = " together with others" if (event.data or {}).get("how") else ""
            return f"confirmed {where}: {worded(event.value)}, as {join_names(tuple(message))} annotated{together}"
        between = ", ".join(f"{person}: {worded(own)}" for person, own in message.items())
        return f"adjudicated {where}: {worded(event.value)}" + (f" (between {between})" if between else "")
    if event.kind == "undo":
        return _taken_back(event, change, where, worded)
    if event.kind == RESOLVE:
        return _adjudicated(event, where)
    if event.kind == "flag":
        return f"flagged {where}" + (f": {event.value}" if event.value else "")
    return f"skipped {where}" if event.kind == "skip" else f"{where}: {event.kind} {event.value or ''}".rstrip()


def _adjudicated(event: Event, where: str) -> str:
    data = event.data or {}
    by = ", ".join(data.get("flagged_by", ())) or "somebody"
    did = "returned" if data.get("given_back") else "adjudicated"
    return f"{did} {where}, which {by} had flagged"


def _was(before: _GivenLabel, event: Event, worded: Callable[[str | None], str]) -> str:
    if before.value is None:
        return ""
    same = before.value == event.value
    if before.person == event.person:
        return "; as before" if same else f"; was {worded(before.value)}"
    if before.person is None:
        return "; as in the data" if same else f"; {worded(before.value)} in the data"
    return f"; as {before.person} annotated" if same else f"; {before.person} had {worded(before.value)}"


def _taken_back(event: Event, change: _Change, where: str, worded: Callable[[str | None], str]) -> str:
    kind = "label" if change.undone is None else change.undone.kind
    if change.undone is not None and (event.data or {}).get("settled"):
        # So it was told before settling was an event of its own.
        return f"adjudicated {where}, which {change.undone.person} had flagged"
    if kind == RESOLVE:
        return f"undid the adjudication of {where}; it is flagged again"
    if kind in ("flag", "skip"):
        return f"undid that {where} was {'flagged' if kind == 'flag' else 'skipped'}"
    what = "the adjudication " if kind == DECISION else ""
    return f"undid {what}{worded(event.value)} for {where}; {_is_now(change.after, event.person, worded)}"


def _is_now(after: _GivenLabel, person: str, worded: Callable[[str | None], str]) -> str:
    if after.value is None:
        return "it has no label now"
    if after.person is None:
        return f"it is {worded(after.value)} now, as in the data"
    return f"it is {worded(after.value)} now, " + (
        "as before" if after.person == person else f"as {after.person} annotated"
    )


def _spans_in_words(value: str, text: str) -> str:
    """Spans with their words."""
    try:
        spans = read_spans(value)
    except InputError:
        return value
    return ", ".join(f"“{text[span.start : span.end]}” {span.slot}" for span in spans) or "no spans"


_ANNOTATIONS = {
    Task.CLASSIFICATION: _Annotation("labelled", " as", lambda value, text: value),
    Task.SLOT_FILLING: _Annotation("annotated", ":", _spans_in_words),
}


def _other(event: Event, data: Mapping[str, Any]) -> str:
    return f"{event.kind.replace('_', ' ')}{': ' + event.value if event.value else ''}"


def _review(event: Event, data: Mapping[str, Any]) -> str:
    """The changes of one decision, by what was decided."""
    rules: dict[str, list[str]] = {}
    for one in data.get("decided", ()):
        rules.setdefault(str(one.get("state")), []).append(str(one.get("rule")))
    verbs = {"open": "reopened"}
    message = (f"{verbs.get(state, state)} the change of {join_names(tuple(names))}" for state, names in rules.items())
    return "; ".join(message) or "reviewed changes"


def _queue(event: Event, data: Mapping[str, Any]) -> str:
    if data.get("closed"):
        return "closed the queue"
    shared = data.get("share_with") or []
    each = f", each for {data.get('overlap', 1)} people" if data.get("overlap", 1) > 1 else ""
    blind = ", blind" if data.get("blind") else ""
    decided = ", including adjudicated texts" if data.get("with_decided") else ""
    among = f", assigned to {', '.join(shared)}" if shared else ""
    return f"opened a queue of {counted(data.get('texts', 0), 'text')}{each}{blind}{decided}{among}"


def _version(event: Event, data: Mapping[str, Any]) -> str:
    return f"saved rules v{data.get('number')}" + (f": {data['message']}" if data.get("message") else "")


_ABOUT: dict[str, Callable[[Event, Mapping[str, Any]], str]] = {
    "project": lambda event, data: f"created the project {data.get('name', '')!r}",
    "rename": lambda event, data: f"renamed the project {event.value!r}",
    "slot_case": lambda event, data: f"let the case of slots' letters {'not ' if data.get('ignore') else ''}count",
    "policy": lambda event, data: f"set the training labels policy: {read_policy(event.value or 'every').in_words}",
    "texts": lambda event, data: f"added {counted(data.get('count', 0), 'text')}",
    "version": _version,
    REVIEW: _review,
    "queue": _queue,
}


def log_as_csv(store: Store, project: ProjectRecord, wanted: LogFilter) -> bytes:
    """All wanted events as CSV, the newest in front; cells that look like formulas are guarded."""
    rows = [_row(line) for line in _everything(store, project, wanted)]
    return render_table(COLUMNS, rows, "csv", byte_order_mark=True)


def _everything(store: Store, project: ProjectRecord, wanted: LogFilter) -> Iterator[LogLine]:
    before = None
    while page := read_log(store, project, wanted, before=before, limit=_AT_ONCE):
        yield from page
        before = page[-1].event.id


def _row(line: LogLine) -> tuple[str | None, ...]:
    number = None if line.text is None else str(line.text.position + 1)
    text = None if line.text is None else line.text.text
    at = line.event.created_at.isoformat(timespec="seconds")
    who = line.event.person or (BY_ITSELF if line.event.kind in _BY_ITSELF else "")
    return at, who, line.event.kind, number, text, line.words
