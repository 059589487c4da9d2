"""A team's queue: what is given out, in which order and to whom; what that means in figures; opening and closing it.

Opening again keeps what is judged or in somebody's hands: only texts that still wait are laid out anew.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.services.annotation.annotator_lookup import known_people, unknown_annotators_message
from re2nn_core.services.annotation.classification import AnyPredictions
from re2nn_core.services.annotation.queue_orders import OrderNeeds, QueueOrder, changed_predictions, queue_order
from re2nn_core.services.team.people import require_role
from re2nn_core.store import Store, TextRecord, close_queue, list_events, open_queue, plan_queue
from re2nn_core.text.counting import counted

_A_MINUTE = 60


@dataclass(frozen=True)
class QueueSettings:
    """How texts are assigned. Each is annotated by `overlap` people, of those in `share_with` where any are named, else
    of all; `blind`: without seeing what others said. A text is somebody's for `lease_minutes`. `with_labelled`: also
    texts that came with a label; `changed_first`: texts whose prediction a change altered come in front; `only`:
    these texts alone, where any are named; `with_decided`: also what a reviewer has decided, or decides later;
    `newcomers`: people of `share_with` may be such as have never been here. `compared_with` names what changed
    predictions are compared with."""

    order: QueueOrder = "uncertain"
    overlap: int = 1
    share_with: tuple[str, ...] = ()
    blind: bool = False
    lease_minutes: int = 10
    with_labelled: bool = False
    changed_first: bool = False
    only: tuple[int, ...] = ()
    with_decided: bool = False
    newcomers: bool = False
    compared_with: str = ""

    @property
    def laid(self) -> dict[str, str]:
        """How texts and order were chosen, in words that the log keeps."""
        texts = "chosen" if self.only else "all" if self.with_labelled else "open"
        events = {"order": self.order, "texts": texts}
        events |= {"changed_first": "yes"} if self.changed_first else {}
        return events | ({"compared_with": self.compared_with} if self.compared_with else {})


@dataclass(frozen=True)
class Remembered:
    """How the newest queue was laid out, as far as the log tells: `texts` are "open" (those without a label), "all",
    "chosen", or "" where it is not told; among whom it was shared out."""

    order: str = ""
    texts: str = ""
    changed_first: bool = False
    compared_with: str = ""
    share_with: tuple[str, ...] = ()


def remembered(store: Store, project_id: int) -> Remembered:
    """The settings of the newest queue that are not in its row."""
    events = list_events(store, project_id, kinds=("queue",), limit=1)
    data = (events[0].data or {}) if events else {}
    laid = data.get("laid", {})
    return Remembered(
        laid.get("order", ""),
        laid.get("texts", ""),
        laid.get("changed_first") == "yes",
        laid.get("compared_with", ""),
        tuple(data.get("share_with", ())),
    )


@dataclass(frozen=True)
class Preview:
    """What a queue would mean. `given_annotations` are still to do, of `overlap` for each of `texts`; `shares`: how
    many fall to each person, where they are shared out; `changed`: texts that come in front; `decided`: texts left out
    because a reviewer has decided them; `unknown`: people among these who have never been here, and `refusal`: why it
    cannot be opened for them. `leaving`: texts that wait in the open queue and would be in it no more; `made`:
    annotations of it that are there, and stay."""

    texts: int
    overlap: int
    given_annotations: int
    shares: tuple[tuple[str, int], ...] = ()
    changed: int = 0
    decided: int = 0
    unknown: tuple[str, ...] = ()
    refusal: str = ""
    leaving: int = 0
    made: int = 0

    @property
    def loss(self) -> str:
        """What laying out anew takes out of the queue; empty where that is nothing."""
        if not self.leaving or not self.given_annotations:
            return ""
        leave = counted(self.leaving, "text that waits leaves", "texts that wait leave")
        stay = {0: "no annotation is lost", 1: "its one annotation is kept"}
        kept = stay.get(self.made, f"its {counted(self.made, 'annotation')} are kept")
        return f"{leave} the queue; {kept}."

    @property
    def sentence(self) -> str:
        """As "312 texts, 2 annotations each, 624 to do, 208 for each of 3 people"."""
        if not self.given_annotations:
            rest = f" or is decided ({self.decided:,})" if self.decided else ""
            return f"No text needs annotation: each has the required number of annotations{rest}."
        each = f"{self.overlap} annotation{'' if self.overlap == 1 else 's'} each"
        some = "" if self.given_annotations == self.texts * self.overlap else "still "
        parts = [
            f"{self.texts:,} text{'' if self.texts == 1 else 's'}",
            each,
            f"{some}{self.given_annotations:,} to do",
        ]
        return ", ".join([*parts, *self._shares()])

    def _shares(self) -> list[str]:
        if len(self.shares) < 2:
            return [f"{count:,} for {name}" for name, count in self.shares]
        counts = sorted({count for _, count in self.shares})
        if counts[-1] - counts[0] <= 1:
            return [f"{' or '.join(f'{count:,}' for count in counts)} for each of {len(self.shares)} people"]
        return [f"{count:,} for {name}" for name, count in self.shares]


@dataclass(frozen=True, eq=False)
class _Part:
    """The predictions for some of the texts, as orders ask for them."""

    whole: AnyPredictions
    places: Sequence[int]

    @property
    def confidence(self) -> NDArray[np.float32]:
        return np.asarray(self.whole.confidence[list(self.places)], dtype=np.float32)

    @property
    def differing(self) -> NDArray[np.bool_]:
        return np.asarray(self.whole.differing[list(self.places)], dtype=np.bool_)

    def prediction(self, place: int) -> str | None:
        return self.whole.prediction(self.places[place])


@dataclass(frozen=True)
class Laid:
    """Ids of the texts to assign, in their order, and those among them whose prediction has changed."""

    text_ids: tuple[int, ...]
    changed: Collection[int] = ()


def lay_texts(
    records: Sequence[TextRecord],
    settings: QueueSettings,
    predicted: AnyPredictions,
    before: AnyPredictions | None = None,
    after: AnyPredictions | None = None,
) -> Laid:
    """Which texts a queue assigns, and in which order. `predicted` are the predictions that people will see; `before`
    and `after`, which is `predicted` where it is not given, those between which a change is looked for: all of exactly
    these records. InputError where changes are asked for and nothing to compare with is given."""
    # What a person has annotated stays among them: it may wait for more annotations.
    only = frozenset(settings.only)
    places = [
        place
        for place, record in enumerate(records)
        if (settings.with_labelled or record.label is None or record.annotator is not None)
        and (not only or record.id in only)
    ]
    chosen = [records[place] for place in places]
    then = None if before is None else _Part(before, places)
    now = _Part(after or predicted, places)
    if settings.changed_first and then is None:
        raise InputError(
            "To put texts with a changed prediction first, choose what to compare with: older rules, a network, or "
            "reconstructed rules."
        )
    changed = frozenset(changed_predictions(chosen, then, now)) if settings.changed_first and then is not None else ()
    needs = OrderNeeds(chosen, _Part(predicted, places), then, [record.label for record in records], after=now)
    return Laid(queue_order(settings.order, needs, changed=changed), changed)


def preview_queue(store: Store, project_id: int, person: str, laid: Laid, settings: QueueSettings) -> Preview:
    """What opening the queue would mean. InputError for settings that cannot be."""
    require_role(store, person, "reviewer", "open a queue")
    planned = plan_queue(
        store,
        project_id,
        laid.text_ids,
        overlap=settings.overlap,
        lease_seconds=settings.lease_minutes * _A_MINUTE,
        share_with=settings.share_with,
        with_decided=settings.with_decided,
    )
    known = dict.fromkeys([*known_people(store), person]) if planned.by_person else {}
    unknown = tuple(name for name in planned.by_person if name not in known)
    return Preview(
        len(planned.texts),
        settings.overlap,
        planned.seats,
        tuple(planned.by_person.items()),
        sum(text_id in planned.texts for text_id in laid.changed),
        planned.decided,
        unknown,
        unknown_annotators_message(store, unknown, tuple(known), newcomers=settings.newcomers),
        planned.leaving,
        planned.made,
    )


def start_queue(store: Store, project_id: int, person: str, laid: Laid, settings: QueueSettings) -> int:
    """Open the queue, or lay it out anew; how many annotations wait. InputError where none would, and for people who
    have never been here."""
    preview = preview_queue(store, project_id, person, laid, settings)
    if preview.refusal:
        raise InputError(preview.refusal)
    if not preview.given_annotations:
        decided = ", or those that a reviewer has decided" if preview.decided else ""
        raise InputError(
            "No text needs annotation, so the queue would be empty. Include texts that have a label"
            f"{decided}, or require more annotations of each text."
        )
    return open_queue(
        store,
        project_id,
        laid.text_ids,
        overlap=settings.overlap,
        blind=settings.blind,
        lease_seconds=settings.lease_minutes * _A_MINUTE,
        share_with=settings.share_with,
        with_decided=settings.with_decided,
        laid=settings.laid,
        person=person,
    )


def end_queue(store: Store, project_id: int, person: str) -> None:
    """Assign no more texts. All labels stay; a member who has a text open may still save it."""
    require_role(store, person, "reviewer", "close a queue")
    close_queue(store, project_id, person=person)
