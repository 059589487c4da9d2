"""Review: the texts that people differ on, or have flagged, and the decision between what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.services.team.annotations import Why, team_annotations_from, team_annotations_of
from re2nn_core.services.team.people import require_role
from re2nn_core.services.team.training_labels import review_of
from re2nn_core.store import (
    DECISION,
    LabelEvent,
    Opinion,
    Store,
    TextRecord,
    confirm_labels,
    get_project,
    get_text,
    newest_event,
    opinions_of,
    read_policy,
    record_decision,
    undo_last_action,
)

LETTERS = "ABDEFG"  # the page's own keys leave C out: Streamlit takes it for itself


@dataclass(frozen=True)
class ReviewSide:
    """One answer and who gave it, in the order in which they did."""

    annotation: str
    people: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A text to decide. `sides`: the answers of people, the one of most in front, of equals the earlier; `flags` with
    their notes; `decision`: what stands decided; `seen`: the newest event that this case knows of."""

    record: TextRecord
    sides: tuple[ReviewSide, ...]
    flags: tuple[tuple[str, str], ...]
    decision: Opinion | None
    why: Why | None
    seen: int

    def proposed(self, machines: Sequence[str | None] = ()) -> str | None:
        """The answer of most people; where several have as many, the one of them that more of these machines give. None
        where that leaves more than one."""
        if not self.sides:
            return None
        most = len(self.sides[0].people)
        first = [side.annotation for side in self.sides if len(side.people) == most]
        if len(first) == 1:
            return first[0]
        votes = Counter(annotation for annotation in machines if annotation in first).most_common(2)
        tied = len(votes) == 2 and votes[0][1] == votes[1][1]
        return votes[0][0] if votes and not tied else None


def texts_to_review(store: Store, project_id: int) -> Mapping[int, Why]:
    """The texts that wait for adjudication, and why: behind those on which people differ or that were flagged, those
    that the project's policy wants confirmed."""
    return review_of(team_annotations_of(store, project_id), read_policy(get_project(store, project_id).policy))


def count_disagreements(store: Store, project_id: int) -> int:
    """How many texts have labels of people that differ, and no decision."""
    return sum(why == "differ" for why in team_annotations_of(store, project_id).waiting.values())


def case_of(store: Store, text_id: int) -> Case:
    """All that is known of one text."""
    # The newest event first: what comes between the two reads is then noticed when it is decided.
    seen = newest_event(store, text_id)
    record = get_text(store, text_id)
    team_annotations = team_annotations_from(opinions_of(store, record.project_id, [text_id]))
    given = team_annotations.by_text.get(text_id, {})
    flags = tuple(
        dict.fromkeys((event.person, event.value) for event in team_annotations.events if event.kind == "flag")
    )
    return Case(
        record=record,
        sides=_sides(given),
        flags=flags,
        decision=team_annotations.decisions.get(text_id),
        why=review_of(team_annotations, read_policy(get_project(store, record.project_id).policy)).get(text_id),
        seen=seen,
    )


def _sides(given: Mapping[str, Opinion]) -> tuple[ReviewSide, ...]:
    by_prediction: dict[str, list[Opinion]] = {}
    for opinion in sorted(given.values(), key=lambda opinion: opinion.event):
        by_prediction.setdefault(opinion.value, []).append(opinion)
    ordered = sorted(by_prediction.items(), key=lambda item: (-len(item[1]), item[1][0].event))
    return tuple(ReviewSide(annotation, tuple(one.person for one in opinions)) for annotation, opinions in ordered)


def adjudicate_case(store: Store, case: Case, annotation: str, person: str) -> LabelEvent:
    """Decide a text; for reviewers and owners alone. ConflictError where somebody has said something about the text
    since the case was read."""
    require_role(store, person, "reviewer", "adjudicate annotations")
    return record_decision(store, case.record.id, annotation, person, seen=case.seen)


def confirm(store: Store, project_id: int, text_ids: Sequence[int], person: str) -> tuple[int, ...]:
    """Decide these texts as all say who judged them, as one action; for reviewers and owners alone. The ids of those
    that were: a text on which somebody has said something else since, or that was flagged, is left out."""
    require_role(store, person, "reviewer", "confirm annotations")
    opinions = team_annotations_of(store, project_id).by_text
    first = {text_id: next(iter(opinions[text_id].values())).value for text_id in text_ids if opinions.get(text_id)}
    return confirm_labels(store, list(first.items()), person)


def undo_decision(store: Store, project_id: int, person: str) -> tuple[int, ...]:
    """Take this person's last decision back, or all that were confirmed at once; the texts, none where there is
    none."""
    require_role(store, person, "reviewer", "take a decision back")
    events = undo_last_action(store, project_id, person, (DECISION,))
    return tuple(sorted(event.text_id for event in events))
