"""Rules that the former version reconstructed, and thresholds that it explored, are read."""

from __future__ import annotations

import pytest
from support.projects.former_version import (
    JOURNEYS,
    NEAR,
    NEAR_ENOUGH,
    TAGGED,
    TRAINED,
    TRIPS,
    TRIPS_LOGIC,
    TRIPS_RULES,
)

from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    StoredLabelReconstruction,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.classification.threshold_file import stored_sweep
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import stored_slot_reconstruction
from re2nn_core.services.rule_review.slot_filling.threshold_file import stored_slot_sweep as kept_or_explored_slots
from re2nn_core.store import (
    Store,
    get_run,
    texts_of,
)


def never(*_: object) -> None:
    """Told of the progress of work that must not be done again."""
    raise AssertionError("what is kept was made again")


# What was read back out of the networks, and kept beside them


def kept_of(store: Store, run_id: int) -> StoredLabelReconstruction:
    """The kept reconstruction of a run for labels, which is that of the texts as they are."""
    kept = stored_reconstruction(get_run(store, run_id).folder)
    assert kept is not None
    assert kept.fits(texts_of(store, TRIPS))
    return kept


def test_rules_that_were_read_back_are_read(store: Store) -> None:
    kept = kept_of(store, TRAINED)
    changed = [rule for rule in kept.reconstruction.rules if not rule.kept_original]
    assert [rule.name for rule in kept.reconstruction.rules] == ["go", "to_city", "price", "much"]
    assert [(rule.name, rule.label, rule.threshold, rule.edges, rule.words) for rule in changed] == [
        ("much", "money", 0.2, 5, 20)
    ]
    assert (changed[0].witness_only_original, changed[0].witness_only_reconstructed) == (None, ("how",))
    assert (changed[0].original_text, len(changed[0].won), changed[0].lost) == ("$* how much $*", 31, ())
    first = changed[0].learned[0]
    assert (first.source, first.target, first.name, first.came, first.went) == (1, 2, "$9", 8, 0)
    assert dict(zip(first.strongest, first.weights, strict=True))["much"] == pytest.approx(1.547, abs=1e-3)
    dev = kept.reconstruction.accuracy[0]
    assert (dev.split, dev.texts, dev.original, dev.network, dev.reconstructed) == ("dev", 24, 0.875, 1.0, 1.0)
    assert (dev.agreement, dev.labelled, dev.better, dev.worse) == (1.0, 24, 3, 0)


def test_new_rules_that_were_read_back_are_read(store: Store) -> None:
    found = kept_of(store, NEAR).reconstruction
    [new] = found.new_rules
    assert (new.name, new.label, new.text) == ("money.new", "money", "$* cost $*")
    assert new.texts == (6, 14, 22, 30, 38, 46, 54, 62, 70, 78, 80)
    assert found.rules_text.endswith("money.new := $* cost $* // mined from train texts\n")
    assert 'first = [\n    "money.new -> money",\n]\n' in found.logic_text
    assert bundle_of(get_run(store, NEAR)).written == (TRIPS_RULES[1], TRIPS_LOGIC)


def test_rules_for_slots_that_were_read_back_are_read(store: Store) -> None:
    kept = stored_slot_reconstruction(get_run(store, TAGGED).folder)
    assert kept is not None
    assert kept.fits(texts_of(store, JOURNEYS))
    found = kept.reconstruction
    assert [(rule.name, rule.gain, rule.words_added, rule.words_removed) for rule in found.rules] == [
        ("to", 6, ("lisbon",), ()),
        ("from_to", 2, (), ("boston", "oslo", "paris")),
        ("day", 10, (), ("foot",)),
    ]
    assert found.rules[2].steps == ("no longer reads foot as B-day (10 mistakes fewer)",)
    assert found.changed == 3
    [new] = found.new_rules
    assert (new.name, new.slot, new.gain) == ("learned.to_city.1", "to_city", 7)
    dev = found.scores[0]
    assert dev.changed is not None
    assert dev.reconstructed is not None
    assert (dev.split, dev.texts, dev.reconstructed.f1, dev.better, dev.worse) == ("dev", 7, 1.0, 4, 0)
    assert (dev.changed.precision, dev.changed.recall, dev.changed.found, dev.changed.right) == (1.0, 0.8, 8, 8)


def test_the_explored_thresholds_are_not_explored_again(store: Store) -> None:
    run = get_run(store, TRAINED)
    found = stored_sweep(bundle_of(run), run.folder, texts_of(store, TRIPS), on_progress=never)
    assert found.chosen == 0.2
    moved = {at.threshold: at.moved for at in found.curve() if at.moved}
    # At 0.3 `much` was stored in another form, which matches the same sentences.
    assert moved == {0.2: ("to_city", "much"), 0.25: ("to_city", "much"), 0.3: ("to_city",)}
    assert [split.reconstructed for split in found.curve()[0].accuracy] == pytest.approx([1.0, 0.9804, 1.0], abs=1e-4)
    assert "much := $* ( how | much | " in found.at(0.2).rules_text
    assert "much := $* how much $*" in found.at(0.4).rules_text


def test_the_explored_thresholds_of_slots_are_not_explored_again(store: Store) -> None:
    run = get_run(store, TAGGED)
    found = kept_or_explored_slots(tagger_of(run), run.folder, texts_of(store, JOURNEYS), on_progress=never)
    assert {at.threshold: at.moved for at in found.curve() if at.moved} == {0.8: ("to",), 0.85: ("to",)}
    at = found.at(0.8).scores[0]
    assert (at.split, at.texts, at.agreement) == ("dev", 7, 0.25)
    assert [at.original.f1, at.network.f1, at.reconstructed.f1] == pytest.approx([0.8, 1.0, 0.2222], abs=NEAR_ENOUGH)
    assert "@to.to_11@=( to | oslo | " in found.at(0.8).rules_text
