"""A team's queue: its settings, what a preview says of them, the order of its texts, and who may be named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.app.app_studio import small_project
from support.projects.small_predictions import predictions

from re2nn_core.errors import InputError
from re2nn_core.services.annotation import team_queue
from re2nn_core.services.annotation.queue_progress import queue_progress
from re2nn_core.services.annotation.team_queue import (
    Preview,
    QueueSettings,
    Remembered,
    end_queue,
    lay_texts,
    preview_queue,
    remembered,
    start_queue,
)
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    add_account,
    get_queue,
    given_annotations,
    lease_next,
    leases_of,
    record_decision,
    record_label,
    save,
    texts_of,
)


@pytest.mark.parametrize(
    ("preview", "sentence"),
    [
        (Preview(312, 2, 624, (("A", 208), ("B", 208), ("C", 208))),
         "312 texts, 2 annotations each, 624 to do, 208 for each of 3 people"),
        (Preview(1, 1, 1), "1 text, 1 annotation each, 1 to do"),
        (Preview(5, 1, 5, (("A", 3), ("B", 2))), "5 texts, 1 annotation each, 5 to do, 2 or 3 for each of 2 people"),
        (Preview(5, 2, 7, (("A", 5), ("B", 2))), "5 texts, 2 annotations each, still 7 to do, 5 for A, 2 for B"),
        (Preview(4, 1, 4, (("A", 4),)), "4 texts, 1 annotation each, 4 to do, 4 for A"),
        (Preview(0, 2, 0), "No text needs annotation: each has the required number of annotations."),
    ],
)  # fmt: skip
def test_a_preview_says_what_it_means(preview: Preview, sentence: str) -> None:
    assert preview.sentence == sentence


def test_only_texts_without_a_label_or_all(records: tuple[TextRecord, ...], predicted: Predictions) -> None:
    assert lay_texts(records, QueueSettings("first"), predicted).text_ids == (records[7].id,)
    some = (records[4].id, records[2].id)
    assert lay_texts(records, QueueSettings("first", with_labelled=True, only=some), predicted).text_ids == some[::-1]
    every = lay_texts(records, QueueSettings("first", with_labelled=True), predicted).text_ids
    assert every == tuple(record.id for record in records)


def test_texts_that_people_judged_wait_for_further_judgements(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    record_label(store, records[7].id, "flight", "Ann")
    now = texts_of(store, project.id)
    settings = QueueSettings("first", overlap=2)
    laid = lay_texts(now, settings, predicted)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert (preview.texts, preview.given_annotations) == (1, 1)
    assert "still 1 to do" in preview.sentence


def test_texts_whose_prediction_changed_come_first(records: tuple[TextRecord, ...], predicted: Predictions) -> None:
    before = predictions("[flight]\nfly := $* ( fly | flight ) $*\n", records)
    settings = QueueSettings("first", with_labelled=True, changed_first=True)
    laid = lay_texts(records, settings, predicted, before)
    changed = [
        record.id for place, record in enumerate(records) if before.prediction(place) != predicted.prediction(place)
    ]
    assert 0 < len(changed) < len(records)
    assert list(laid.text_ids[: len(changed)]) == changed
    assert set(laid.changed) == set(changed)
    with pytest.raises(InputError, match="choose what to compare with: older rules, a network"):
        lay_texts(records, settings, predicted)


def test_a_change_is_looked_for_between_the_predictions_that_are_named(
    records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    """The rules against others, though a network gives the predictions that people see."""
    rules = predictions("[flight]\nfly := $* ( fly | flight ) $*\n", records)
    learned = predictions("[flight]\nfly := $* ( fly | flight | to ) $*\n", records)
    settings = QueueSettings("first", with_labelled=True, changed_first=True)
    laid = lay_texts(records, settings, predicted, learned, rules)
    moved = [r.id for r in records if "to" in r.text.split() and not {"fly", "flight"} & set(r.text.split())]
    assert list(laid.text_ids[: len(moved)]) == moved
    assert set(laid.changed) == set(moved) != set(lay_texts(records, settings, predicted, learned).changed)
    by_version = lay_texts(records, replace(settings, order="versions", changed_first=False), predicted, learned, rules)
    assert set(by_version.text_ids[: len(moved)]) == set(moved)


def test_opening_again_keeps_what_was_done(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    settings = QueueSettings("first", with_labelled=True)
    laid = lay_texts(records, settings, predicted)
    assert start_queue(store, project.id, "Rita", laid, settings) == 8
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    save(store, lease.text.id, "x", "Ann")
    assert start_queue(store, project.id, "Rita", laid, settings) == 6
    assert len(leases_of(store, project.id, "Ann")) == 1
    found = queue_progress(store, project.id)
    assert (found.done, found.wanted, found.held, found.of("Ann")) == (1, 8, 1, 1)
    end_queue(store, project.id, "Rita")
    assert get_queue(store, project.id) is None
    assert given_annotations(store, project.id) == {lease.text.id: {"Ann": "x"}}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (QueueSettings(overlap=0), "The overlap must be a whole number from 1 to 20 (got 0)."),
        (
            QueueSettings(overlap=2, share_with=("Ann",)),
            "2 annotators are required for each text, but the queue names",
        ),
        (QueueSettings(share_with=(" ",)), "is empty. Give it at least one character."),
        (QueueSettings(lease_minutes=0), "A lease lasts from 10 seconds to a week (got 0 seconds)."),
        (QueueSettings(order="soon"), "There is no order 'soon'. Choose one of uncertain"),  # type: ignore[arg-type]
    ],
)
def test_settings_that_cannot_be_are_told(
    store: Store,
    project: ProjectRecord,
    records: tuple[TextRecord, ...],
    predicted: Predictions,
    settings: QueueSettings,
    message: str,
) -> None:
    with pytest.raises(InputError) as reported:
        start_queue(store, project.id, "Rita", lay_texts(records, settings, predicted), settings)
    assert message in str(reported.value)
    assert get_queue(store, project.id) is None


def test_nothing_to_give_out_is_told(store: Store, project: ProjectRecord, predicted: Predictions) -> None:
    with pytest.raises(InputError, match="No text needs annotation, so the queue would be empty."):
        start_queue(store, project.id, "Rita", team_queue.Laid(()), QueueSettings())


def test_people_nobody_has_seen_are_named(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    record_label(store, records[0].id, "flight", "Ann")
    settings = QueueSettings("first", with_labelled=True, share_with=("Ann", "Anne", "Rita"))
    laid = lay_texts(records, settings, predicted)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert preview.unknown == ("Anne",)
    reported = (
        "Nobody called Anne has been here yet, so their texts would never be annotated. Known here: Ann, tester, Rita. "
        "Did you mean Ann? Correct the name, or allow new annotators."
    )
    assert preview.refusal == reported
    with pytest.raises(InputError) as refused:
        start_queue(store, project.id, "Rita", laid, settings)
    assert str(refused.value) == reported
    assert get_queue(store, project.id) is None
    allowed = replace(settings, newcomers=True)
    preview = preview_queue(store, project.id, "Rita", laid, allowed)
    assert (preview.unknown, preview.refusal) == (("Anne",), "")
    assert start_queue(store, project.id, "Rita", laid, allowed) == 7


def test_who_was_ever_here_is_known_in_every_project(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    other = small_project(store, "Other")
    record_label(store, texts_of(store, other.id)[0].id, "flight", "Zoe")
    settings = QueueSettings("first", with_labelled=True, share_with=("Zoe",))
    assert preview_queue(store, project.id, "Rita", lay_texts(records, settings, predicted), settings).unknown == ()


def test_where_people_have_accounts_nobody_else_can_come(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    record_label(store, records[0].id, "flight", "Zoe")  # before there were accounts
    for name in ("Ann", "Rita"):
        add_account(store, name=name, role="owner", password_hash="x", person="Rita")
    settings = QueueSettings("first", with_labelled=True, share_with=("Ann", "Zoe", "Hugo"), newcomers=True)
    with pytest.raises(InputError) as refused:
        start_queue(store, project.id, "Rita", lay_texts(records, settings, predicted), settings)
    assert str(refused.value) == (
        "Nobody called Zoe or Hugo has an account, so their texts would never be annotated. Accounts here: Ann, Rita. "
        "Correct the name, or ask an owner to add them on Team, People."
    )
    settings = replace(settings, share_with=("Ann",))
    assert start_queue(store, project.id, "Rita", lay_texts(records, settings, predicted), settings) == 7


def test_what_is_decided_is_left_out_unless_asked_for(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    record_decision(store, records[2].id, "flight", "Rita")
    settings = QueueSettings("first", with_labelled=True)
    laid = lay_texts(records, settings, predicted)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert (preview.texts, preview.given_annotations, preview.decided) == (7, 7, 1)
    assert start_queue(store, project.id, "Rita", laid, settings) == 7
    every = replace(settings, with_decided=True)
    preview = preview_queue(store, project.id, "Rita", laid, every)
    assert (preview.texts, preview.given_annotations, preview.decided) == (8, 8, 0)
    assert start_queue(store, project.id, "Rita", laid, every) == 8
    queue = get_queue(store, project.id)
    assert queue is not None
    assert queue.with_decided
    only = team_queue.Laid((records[2].id,))
    with pytest.raises(InputError, match="a label, or those that a reviewer has decided, or require more"):
        start_queue(store, project.id, "Rita", only, QueueSettings())


def test_how_a_queue_was_laid_out_is_remembered(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    assert remembered(store, project.id) == Remembered()
    settings = QueueSettings("rare", with_labelled=True, compared_with="rules v1", changed_first=True)
    before = predictions("[flight]\nfly := $* ( fly | flight ) $*\n", records)
    start_queue(store, project.id, "Rita", lay_texts(records, settings, predicted, before), settings)
    assert remembered(store, project.id) == Remembered("rare", "all", True, "rules v1", ())
    settings = QueueSettings("first", with_labelled=True, only=(records[0].id,), share_with=("Rita",))
    start_queue(store, project.id, "Rita", lay_texts(records, settings, predicted), settings)
    assert remembered(store, project.id) == Remembered("first", "chosen", share_with=("Rita",))
    # An archive of the project brings it along.
    copy = import_archive(store, export_project(store, project.id), "Rita")
    assert remembered(store, copy.id) == remembered(store, project.id)


def test_a_preview_says_what_leaves_the_open_queue(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    every, some = QueueSettings("first", with_labelled=True), QueueSettings("first")
    laid = lay_texts(records, every, predicted)
    assert preview_queue(store, project.id, "Rita", laid, every).loss == ""
    start_queue(store, project.id, "Rita", laid, every)
    assert preview_queue(store, project.id, "Rita", laid, every).loss == ""
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    save(store, lease.text.id, "x", "Ann")  # and Ann holds the next one
    fewer = lay_texts(texts_of(store, project.id), some, predicted)
    preview = preview_queue(store, project.id, "Rita", fewer, some)
    assert (preview.leaving, preview.made) == (5, 1)
    assert preview.loss == "5 texts that wait leave the queue; its one annotation is kept."
    start_queue(store, project.id, "Rita", fewer, some)
    assert queue_progress(store, project.id).wanted == 3
    assert replace(preview, leaving=1, made=0).loss == ("1 text that waits leaves the queue; no annotation is lost.")
    assert replace(preview, made=1_200).loss.endswith("; its 1,200 annotations are kept.")
