"""Reconstructed rules beside the written ones: which words came and went, and how to take a change over.

A change is taken over into the rules as they are now, line by line, so that comments, layout and edits made
since the training stay. A rule that has some of its learned edits already gets the rest
(rule_reconstruction/partial_acceptance.py); one that somebody has edited otherwise is left alone and named.

What people wrote about a rule that changes stays, and a line says that it is older (rule_systems/rule_comments.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.rules.logic.priorities import priorities_that_hold
from re2nn_core.rules.named_leaves import Named, leaf_names, named_leaves
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import classes_for, with_rules_replaced
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tagging import has_slots, slots_of
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.partial_acceptance import ChangeStatus, change_status
from re2nn_core.services.rule_reconstruction.written_form import with_written_forms
from re2nn_core.services.rule_systems.repeated_pieces import mark_repeated
from re2nn_core.services.rule_systems.rule_pieces import Piece, pieces_of_tree

# Why a change is left out: somebody has taken it over before, or has written the rule anew.
ALREADY = "it already equals its reconstruction"
EDITED = "it was edited since the training, in another way than was learned"
UNPROVED = (
    "it was edited since the training, and its automata are too large to prove that accepting the change keeps the "
    "edit; to accept it, restore the version it was trained from under History on Write rules, or edit it by hand"
)
DELETED = "it was deleted since the training; to take its change, write a rule of this name again"
_RENAMED = "it was renamed to “{}” since the training; to accept its change, give it its old name on Write rules first"
NO_CAPTURE = "no rule would capture a word any more"
_WHY: dict[ChangeStatus, str] = {"there": ALREADY, "other": EDITED, "unknown": UNPROVED}


@dataclass(frozen=True)
class WordChange:
    """A rule before and after. `new` and `removed` are the words that only one of the two names, and kinds of words
    such as `a number`."""

    name: str
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]


def word_change(original: RuleSet, reconstructed: RuleSet, name: str) -> WordChange:
    """How the rule of a name changed; both sets have a rule of that name."""
    old, new = _rule(original, name), _rule(reconstructed, name)
    before, after = named_leaves(old.expanded), named_leaves(new.expanded)
    was, now = mark_repeated(_pieces(original, old, after), _pieces(reconstructed, new, before))
    return WordChange(
        name,
        was,
        now,
        leaf_names(after - before),
        leaf_names(before - after),
    )


def rule_pieces_of(ruleset: RuleSet, name: str) -> tuple[Piece, ...]:
    """A printed rule that has no other one beside it."""
    rule = _rule(ruleset, name)
    return _pieces(ruleset, rule, named_leaves(rule.expanded))


def _rule(ruleset: RuleSet, name: str) -> Rule:
    return next(rule for rule in ruleset.rules if rule.name == name)


def _pieces(ruleset: RuleSet, rule: Rule, other: Collection[Named]) -> tuple[Piece, ...]:
    return pieces_of_tree(rule.tree, classes_for(ruleset, rule), other)


@dataclass(frozen=True)
class Acceptance:
    """Rules with accepted changes: `accepted` names them, `left_out` says for the others why not. `comments`: what
    people wrote directly above or behind accepted rules, by the rule's name; it stays. `begun`: those of the accepted
    that had a part of their change already."""

    rules_text: str
    logic_text: str
    accepted: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    comments: tuple[tuple[str, tuple[str, ...]], ...] = ()
    begun: tuple[str, ...] = ()

    @property
    def there(self) -> tuple[str, ...]:
        """The rules that need no change: the reconstruction is already in the rules."""
        return tuple(name for name, why in self.left_out if why == ALREADY)

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """The rules that stay other than their reconstruction, and why."""
        return tuple((name, why) for name, why in self.left_out if why != ALREADY)


def accept(
    found: Reconstruction,
    names: Collection[str],
    *,
    trained_on: str,
    rules_text: str,
    logic_text: str,
    lowercase: bool,
    edited: Collection[str] = (),
) -> Acceptance:
    """Accept the changes of the named rules into `rules_text`.

    `trained_on` are the rules the network was made from; `edited` rules are taken as somebody wrote them. InputError
    where rules were merged, which can be accepted only as a whole (`accept_all`).
    """
    if is_merged(found, trained_on, lowercase=lowercase):
        raise InputError(
            "This network has one automaton for each label, so its rules cannot be accepted one by one.\n"
            "Accept all of them, or train with one automaton for each rule."
        )
    return accept_rules(
        found.rules_text,
        names,
        trained_on=trained_on,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
        edited=edited,
    )


def accept_rules(
    new_text: str,
    names: Collection[str],
    *,
    trained_on: str,
    rules_text: str,
    logic_text: str,
    lowercase: bool,
    known_slots: Sequence[str] = (),
    edited: Collection[str] = (),
) -> Acceptance:
    """The same for rules of any text that were made from those the network was made from. `known_slots`: how the data
    spell the slots of rules for slots; priorities of slots that the rules lose are left out."""
    written = read_rules(trained_on, lowercase=lowercase).ruleset
    new = read_rules(new_text, lowercase=lowercase).ruleset
    newest = read_rules(rules_text, lowercase=lowercase).ruleset
    now = {rule.name: rule for rule in newest.rules}
    left_out: list[tuple[str, str]] = []
    accepted: list[str] = []
    begun: list[str] = []
    for name in (rule.name for rule in new.rules if rule.name in names):
        if name not in now:
            left_out.append((name, _why_gone(name, written, newest)))
            continue
        learned, own = _rule(new, name), now[name]
        if own.expanded == learned.expanded:
            left_out.append((name, ALREADY))
            continue
        if own.expanded != (before := _rule(written, name).expanded):
            stands = change_status(before, learned.expanded, own.expanded, tuple(known_slots))
            if stands != "begun":
                left_out.append((name, _WHY[stands]))
                continue
            begun.append(name)
        accepted.append(name)
    forms = with_written_forms(newest, new, accepted, lowercase=lowercase, known_slots=known_slots, edited=edited)
    text, comments = with_rules_replaced(rules_text, newest, forms, accepted)
    if accepted and any(has_slots(rule.expanded) for rule in newest.rules):
        slots = slots_of(read_rules(text, lowercase=lowercase).ruleset)
        if not slots:
            left_out += [(name, NO_CAPTURE) for name in accepted]
            return Acceptance(rules_text, logic_text, (), tuple(left_out))
        logic_text, _ = priorities_that_hold(logic_text, slots)
    written_about = tuple((of.rule, of.own) for of in comments if of.own)
    return Acceptance(text, logic_text, tuple(accepted), tuple(left_out), written_about, tuple(begun))


def _why_gone(name: str, written: RuleSet, newest: RuleSet) -> str:
    """Why the newest rules have none of this name: the same rule may have another one there."""
    known = {rule.name for rule in written.rules}
    before = next((rule for rule in written.rules if rule.name == name), None)
    same = (rule for rule in newest.rules if before is not None and rule.expanded == before.expanded)
    renamed = next((rule.name for rule in same if rule.name not in known), None)
    return DELETED if renamed is None else _RENAMED.format(renamed)


def accept_all(found: Reconstruction, trained_on: str, *, lowercase: bool) -> Acceptance:
    """The reconstructed rules and logic as they are, in the place of whatever there was."""
    changed = tuple(rule.name for rule in found.rules if not rule.kept_original)
    return Acceptance(found.rules_text, found.logic_text, changed, ())


def is_merged(found: Reconstruction, trained_on: str, *, lowercase: bool) -> bool:
    """True where several written rules came back as one: networks with one machine a label."""
    written = read_rules(trained_on, lowercase=lowercase).ruleset
    return {rule.name for rule in written.rules} != {rule.name for rule in found.rules}
