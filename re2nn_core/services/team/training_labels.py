"""Which labels train: the project's policy (store/policy.py) applied to its texts.

A text whose label the policy does not take is handed on without one, and counted as waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.services.team.annotations import TeamAnnotations, Why, team_annotations_of
from re2nn_core.services.team.people import require_role
from re2nn_core.store import (
    Policy,
    ProjectRecord,
    Store,
    TextRecord,
    get_project,
    read_policy,
    set_policy,
    texts_of,
)


@dataclass(frozen=True)
class LabelledMaterial:
    """The texts of a project with the labels that may train. `waiting`: ids of those whose label may not yet."""

    records: tuple[TextRecord, ...]
    policy: Policy
    waiting: tuple[int, ...] = ()


def training_texts(store: Store, project_id: int) -> tuple[TextRecord, ...]:
    """The texts of a project in their order, with the labels that may train."""
    return labelled_material_of(store, get_project(store, project_id)).records


def labelled_material_of(
    store: Store, project: ProjectRecord, records: Sequence[TextRecord] | None = None
) -> LabelledMaterial:
    """What a project trains on; `records` are its texts, where they are at hand."""
    policy = read_policy(project.policy)
    texts = tuple(texts_of(store, project.id) if records is None else records)
    if policy.kind == "every":
        return LabelledMaterial(texts, policy)
    return resolve_training_labels(texts, policy, team_annotations_of(store, project.id))


def adjudicated_texts(store: Store, project: ProjectRecord, records: Iterable[TextRecord]) -> Iterator[TextRecord]:
    """Texts of a project, one by one, with the labels that may train."""
    policy = read_policy(project.policy)
    if policy.kind == "every":
        yield from records
        return
    team_annotations = team_annotations_of(store, project.id)
    for record in records:
        yield _taken(record, policy, team_annotations)


def resolve_training_labels(
    records: Sequence[TextRecord], policy: Policy, team_annotations: TeamAnnotations
) -> LabelledMaterial:
    """The texts with the labels that the policy takes. What came with the data and nobody has annotated is taken,
    unless somebody has flagged it; so is what was decided."""
    taken = tuple(_taken(record, policy, team_annotations) for record in records)
    waiting = tuple(
        record.id for record, now in zip(records, taken, strict=True) if record.label is not None and now.label is None
    )
    return LabelledMaterial(taken, policy, waiting)


def _taken(record: TextRecord, policy: Policy, team_annotations: TeamAnnotations) -> TextRecord:
    if policy.kind == "every" or record.decided or record.label is None:
        return record
    label: str | None = record.label
    if record.id in team_annotations.flags:
        label = None
    elif record.annotator is not None:
        label = _agreed([opinion.value for opinion in team_annotations.by_text.get(record.id, {}).values()], policy)
    if label == record.label:
        return record
    return replace(record, label=label, annotator=None if label is None else record.annotator)


def _agreed(opinions: Sequence[str], policy: Policy) -> str | None:
    """The label that the policy takes of what people say of a text; None where it takes none."""
    first, *others = Counter(opinions).most_common(2) or [("", 0)]
    if policy.kind == "agreed":
        return first[0] if opinions and not others else None
    if policy.kind == "least":
        tied = bool(others) and others[0][1] == first[1]
        return first[0] if first[1] >= policy.least and not tied else None
    return None


def to_confirm(team_annotations: TeamAnnotations, policy: Policy) -> dict[int, Why]:
    """The texts that wait for a decision though nobody says anything else of them, because the policy asks for more:

    agreed  two or more people say the same
    alone   one person has annotated it
    """
    found: dict[int, Why] = {}
    if policy.kind not in ("decided", "least"):
        return found
    for text_id, given in sorted(team_annotations.by_text.items()):
        opinions = [opinion.value for opinion in given.values()]
        if (
            text_id in team_annotations.decisions
            or text_id in team_annotations.waiting
            or _agreed(opinions, policy) is not None
        ):
            continue
        found[text_id] = "agreed" if len(opinions) > 1 else "alone"
    return found


def review_of(team_annotations: TeamAnnotations, policy: Policy) -> Mapping[int, Why]:
    """All texts that a reviewer should look at, and why: those on which people differ or that were flagged, then
    those that are only to be confirmed."""
    return {**team_annotations.waiting, **to_confirm(team_annotations, policy)}


def choose_policy(store: Store, project_id: int, policy: Policy, person: str) -> ProjectRecord:
    """Say which labels train; for owners alone."""
    require_role(store, person, "owner", "choose which labels train")
    return set_policy(store, project_id, policy, person=person)
