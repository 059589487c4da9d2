"""How rules for slots that were read back are taken over: changed rules line by line in the rules as they are now, new
rules behind them, new priorities among those there are.

A rule that somebody has edited since the training otherwise than was learned is left alone and named, as in
classification/rule_changes.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from re2nn_core.reconstruction.slot_filling.report import SlotReconstruction
from re2nn_core.rules.logic.priorities import (
    SlotLogic,
    priorities_that_hold,
    read_slot_logic,
    write_slot_logic,
)
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_comments import LEARNED_BY_NETWORK
from re2nn_core.rules.rule_lines import class_lines, class_notes, classes_for, wrapped
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Node, class_names
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    ALREADY,
    Acceptance,
    WordChange,
    accept_rules,
    word_change,
)
from re2nn_core.services.rule_systems.rule_pieces import Piece
from re2nn_core.services.rule_systems.slot_filling.rule_units import KindForWords, is_sign, sign_difference
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization


def accept_slots(
    found: SlotReconstruction,
    names: Collection[str],
    *,
    trained_on: str,
    rules_text: str,
    logic_text: str,
    tokenization: Tokenization,
    known_slots: Sequence[str] = (),
    edited: Collection[str] = (),
) -> Acceptance:
    """Take the named rules over into `rules_text`, changed and new ones, and with any of them the new priorities.
    `trained_on` are the rules the network was made from; `known_slots` as in SlotSystem; `edited` rules are
    taken as somebody wrote them. RuleError and LogicError where
    the rules cannot be read."""
    lowercase = tokenization.lowercase
    changed = [rule.name for rule in found.rules if not rule.kept_original and rule.name in names]
    done = accept_rules(
        found.rules_text,
        changed,
        trained_on=trained_on,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
        known_slots=known_slots,
        edited=edited,
    )
    fresh = [rule.name for rule in found.new_rules if rule.name in names]
    text, added, doubled = _with_new_rules(done.rules_text, found.rules_text, fresh, lowercase=lowercase)
    taken = (*done.accepted, *added)
    if taken:
        slots = read_slot_system(text, "", tokenization, known_slots=known_slots)[0].slots
        logic_text, _ = priorities_that_hold(logic_text, slots)
        logic_text = _with_priorities(logic_text, found.new_priorities, slots)
    return Acceptance(text, logic_text, taken, (*done.left_out, *doubled), done.comments, done.begun)


def _with_new_rules(
    text: str, new_text: str, names: Sequence[str], *, lowercase: bool
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The text with these rules of another one behind it, which they are, and why others are not."""
    source = read_rules(new_text, lowercase=lowercase).ruleset
    there = read_rules(text, lowercase=lowercase).ruleset
    taken = {rule.name: rule for rule in there.rules}
    defined = {entry.name: entry.tree for entry in there.entries if isinstance(entry, WordClass)}
    notes = class_notes(source)
    added: list[str] = []
    left_out: list[tuple[str, str]] = []
    lines: list[str] = []
    for rule in (rule for rule in source.rules if rule.name in names):
        classes = _classes_of(source, rule)
        if rule.name in taken and taken[rule.name].expanded == rule.expanded:
            left_out.append((rule.name, ALREADY))
        elif rule.name in taken:
            left_out.append((rule.name, "the rules have a rule of this name already"))
        elif clash := [name for name, tree in classes.items() if defined.get(name, tree) != tree]:
            left_out.append((rule.name, f"the rules have a word class @{clash[0]}@ of other words already"))
        else:
            lines += class_lines({name: tree for name, tree in classes.items() if name not in defined}, notes)
            lines += wrapped(f"{rule.name} := {print_expression(rule.tree)}")
            defined |= classes
            added.append(rule.name)
    if not added:
        return text, (), tuple(left_out)
    head = [] if LEARNED_BY_NETWORK in text else ["", LEARNED_BY_NETWORK]
    return "\n".join([text.rstrip(), *head, *lines]) + "\n", tuple(added), tuple(left_out)


def _classes_of(source: RuleSet, rule: Rule) -> dict[str, Node]:
    """The word classes that a rule names."""
    classes = classes_for(source, rule)
    return {name: classes[name] for name in class_names(rule.tree)}


def _with_priorities(logic_text: str, added: Sequence[str], slots: Sequence[str]) -> str:
    """The priorities with these behind them, those of slots that no rule names left out; the text as it is where there
    is nothing to add."""
    logic = read_slot_logic(logic_text, slots)
    known = [pair for text in added if (pair := _pair(text, slots)) is not None and pair not in logic.priorities]
    if not known:
        return logic_text
    return write_slot_logic(SlotLogic((*logic.priorities, *known), logic.longest))


def rule_difference(original: RuleSet, reconstructed: RuleSet, name: str) -> WordChange:
    """How the rule of a name changed: the words that only one side names, with the kinds of words that stand for some
    on the other side (`any word instead of oslo`), and the signs that stand on one side alone, since what a rule
    captures hangs on brackets as much as on words."""
    change = word_change(original, reconstructed, name)
    signs = sign_difference(change.before, change.after)
    return replace(
        change,
        before=_marked(change.before, signs.marked[0]),
        after=_marked(change.after, signs.marked[1]),
        removed=_with_signs(change.removed, signs.stands[0]),
        new=_with_signs(change.new, signs.stands[1]),
    )


def _with_signs(words: Sequence[str], stands: Sequence[KindForWords]) -> tuple[str, ...]:
    """The words with the kinds that stand for words of the other side; a kind is listed once."""
    listed = {one.kind for one in stands}
    return (*(word for word in words if word not in listed), *map(str, stands))


def _marked(pieces: Sequence[Piece], places: Collection[int]) -> tuple[Piece, ...]:
    """The signs at these places as changed ones; words and word classes tell that by themselves."""
    return tuple(
        replace(piece, kind="changed") if place in places and is_sign(piece.text) else piece
        for place, piece in enumerate(pieces)
    )


def _pair(text: str, slots: Sequence[str]) -> tuple[str, str] | None:
    stronger, _, weaker = (part.strip() for part in text.partition(">"))
    known = {*slots, *(f"{prefix}-{slot}" for slot in slots for prefix in "BI"), "O"}
    return (stronger, weaker) if {stronger, weaker} <= known else None
