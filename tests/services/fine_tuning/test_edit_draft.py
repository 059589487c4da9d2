"""The edit of a trained model in hand: new rules, switches, and what they come to in words."""

from __future__ import annotations

from support.networks.small_system import small_corpus, small_system

from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel, Edits, joined_rules, unedited
from re2nn_core.services.fine_tuning.edit_draft import EditDraft, discard_edit, edits_in_words, edits_of
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.services.rule_writing.editor_texts import EditorTexts

NO_EDITS = Edits()
NEW = "[baggage]\nlost := $* lost $*\n"


def model(edits: Edits = NO_EDITS) -> EditedModel:
    plain = unedited(untrained(small_system(), small_corpus().texts))
    return EditedModel(plain.origin, edits, plain.bundle, plain.rules)


def test_nothing_written_and_nothing_switched_is_no_edit() -> None:
    draft, before = EditDraft(1, EditorTexts("  \n", 'default = "x"')), model()
    assert draft.addition is None
    assert edits_of(draft, before, ()) == Edits()
    assert edits_in_words(before, Edits(), joined_rules(before.origin, ())) == ""


def test_new_rules_come_behind_and_switches_keep_their_order() -> None:
    names = [rule.name for rule in model().rules]
    before = model(Edits((), (names[1],)))
    edits = edits_of(EditDraft(1, EditorTexts(NEW)), before, (names[0], names[1]))
    assert edits == Edits((Addition(NEW, ""),), (names[1], names[0])), "those that were off before stand in front"
    said = edits_in_words(before, edits, joined_rules(before.origin, edits.additions))
    assert said == f"switches off {names[0]}; adds lost"
    on_again = edits_of(EditDraft(1, EditorTexts()), before, ())
    assert edits_in_words(before, on_again, joined_rules(before.origin, ())) == f"switches on {names[1]}"


def test_discarding_empties_the_editors_under_a_new_revision() -> None:
    draft = discard_edit(EditDraft(1, EditorTexts(NEW, "x", 4, plain=True)))
    assert draft.editors == EditorTexts("", "", 5, plain=True)
