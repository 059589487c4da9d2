"""Reconstructed rules beside the written ones: which words came and went, and how to take a change over.

A change is taken over into the rules as they are now, line by line, so that comments, layout and edits made
since the training stay. A rule that has some of its learned edits already gets the rest
(rule_reconstruction/partial_acceptance.py); one that somebody has edited otherwise is left alone and named.

What people wrote about a rule that changes stays, and a line says that it is older (rule_systems/rule_comments.py).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.rules.names import RULE_NAME
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.source import LogicalLine, logical_lines, split_lines
from re2nn_core.rules.tree import ClassReference, Node, walk
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.partial_acceptance import ChangeStatus, change_status
from re2nn_core.services.rule_systems.repeated_pieces import mark_repeated
from re2nn_core.services.rule_systems.rule_comments import Comments, comments_of
from re2nn_core.services.rule_systems.rule_pieces import Named, Piece, named_leaves, pieces_in_words, pieces_of_tree

_NAMED = re.compile(rf"\s*(?:{RULE_NAME.pattern})\s*:=")
_WIDTH = 106
_HELD = "\x1f"
# Why a change is left out: somebody has taken it over before, or has written the rule anew.
ALREADY = "it is as it was read back already"
EDITED = "somebody has edited it since the training, otherwise than was learned"
UNPROVED = (
    "it was edited since the training, and its automata are too large to prove that taking the change over keeps that; "
    "to take it over, go back to the version it was trained from under History on Write rules, or write it by hand"
)
_WHY: dict[ChangeStatus, str] = {"there": ALREADY, "other": EDITED, "unknown": UNPROVED}


@dataclass(frozen=True)
class WordChange:
    """A rule before and after. `new` and `gone` are the words that only one of the two names, and kinds of words
    such as `a number`."""

    name: str
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


def word_change(original: RuleSet, reconstructed: RuleSet, name: str) -> WordChange:
    """How the rule of a name changed; both sets have a rule of that name."""
    old, new = _rule(original, name), _rule(reconstructed, name)
    before, after = named_leaves(old.expanded), named_leaves(new.expanded)
    was, now = mark_repeated(_pieces(original, old, after), _pieces(reconstructed, new, before))
    return WordChange(
        name,
        was,
        now,
        pieces_in_words(after - before),
        pieces_in_words(before - after),
    )


def pieces_of(ruleset: RuleSet, name: str) -> tuple[Piece, ...]:
    """A printed rule that has no other one beside it."""
    rule = _rule(ruleset, name)
    return _pieces(ruleset, rule, named_leaves(rule.expanded))


def _rule(ruleset: RuleSet, name: str) -> Rule:
    return next(rule for rule in ruleset.rules if rule.name == name)


def _pieces(ruleset: RuleSet, rule: Rule, other: Collection[Named]) -> tuple[Piece, ...]:
    return pieces_of_tree(rule.tree, classes_for(ruleset, rule), other)


def classes_for(ruleset: RuleSet, rule: Rule) -> dict[str, Node]:
    """The word classes in force where the rule stands."""
    classes: dict[str, Node] = {}
    for entry in ruleset.entries:
        if entry is rule:
            break
        if isinstance(entry, WordClass):
            classes[entry.name] = entry.tree
    return classes


@dataclass(frozen=True)
class Acceptance:
    """Rules with changes taken over: `accepted` names them, `left_out` says for the others why not. `comments`: what
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
        """The rules that need no change: what was read back stands in the rules."""
        return tuple(name for name, why in self.left_out if why == ALREADY)

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """The rules that stay other than they were read back, and why."""
        return tuple((name, why) for name, why in self.left_out if why != ALREADY)


def accept(
    found: Reconstruction,
    names: Collection[str],
    *,
    trained_on: str,
    rules_text: str,
    logic_text: str,
    lowercase: bool,
) -> Acceptance:
    """Take the changes of the named rules over into `rules_text`.

    `trained_on` are the rules the network was made from. InputError where rules were merged, which can be
    taken over only as a whole (`accept_all`).
    """
    if is_merged(found, trained_on, lowercase=lowercase):
        raise InputError(
            "This network has one machine a label, so its rules cannot be taken over one by one.\n"
            "Take over all of them, or train with one machine a rule."
        )
    return accept_rules(
        found.rules_text,
        names,
        trained_on=trained_on,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
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
) -> Acceptance:
    """The same for rules of any text that were made from those the network was made from. `known_slots`: how the data
    spell the slots of rules for slots."""
    written = read_rules(trained_on, lowercase=lowercase).ruleset
    new = read_rules(new_text, lowercase=lowercase).ruleset
    newest = read_rules(rules_text, lowercase=lowercase).ruleset
    now = {rule.name: rule for rule in newest.rules}
    lines, taken = split_lines(rules_text), {line.number: line for line in logical_lines(rules_text)}
    left_out: list[tuple[str, str]] = []
    begun: list[str] = []
    replacement: list[tuple[LogicalLine, Comments, list[str]]] = []
    for name in (rule.name for rule in new.rules if rule.name in names):
        if name not in now:
            left_out.append((name, "the rules have no rule of this name any more"))
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
        line = taken[own.line]
        comments = comments_of(name, lines, line)
        replacement.append((line, comments, _lines_of(new, learned, line, comments, classes_for(newest, own))))
    return Acceptance(
        _replaced(lines, replacement),
        logic_text,
        tuple(comments.rule for _, comments, _ in replacement),
        tuple(left_out),
        tuple((comments.rule, comments.own) for _, comments, _ in replacement if comments.own),
        tuple(begun),
    )


def accept_all(found: Reconstruction, trained_on: str, *, lowercase: bool) -> Acceptance:
    """The reconstructed rules and logic as they are, in the place of whatever there was."""
    changed = tuple(rule.name for rule in found.rules if not rule.kept_original)
    return Acceptance(found.rules_text, found.logic_text, changed, ())


def is_merged(found: Reconstruction, trained_on: str, *, lowercase: bool) -> bool:
    """True where several written rules came back as one: networks with one machine a label."""
    written = read_rules(trained_on, lowercase=lowercase).ruleset
    return {rule.name for rule in written.rules} != {rule.name for rule in found.rules}


def _lines_of(
    ruleset: RuleSet, rule: Rule, old: LogicalLine, comments: Comments, in_force: Mapping[str, Node]
) -> list[str]:
    """The rule as it will stand in the file: its classes that are not in force there, the comments that stood above it,
    the rule, the comment that stood at its end."""
    classes, notes = classes_for(ruleset, rule), class_notes(ruleset)
    used = dict.fromkeys(part.name for part in walk(rule.tree) if isinstance(part, ClassReference))
    lines = []
    for name in used:
        if in_force.get(name) != classes[name]:
            lines += wrapped(f"@{name}@=( {print_expression(classes[name])} )", notes[name])
    named = _NAMED.match(old.text)
    behind = f"    {comments.behind}" if comments.behind else ""
    head = f"{rule.name} := " if named else ""
    body = wrapped(head + print_expression(rule.tree))
    return [*lines, *comments.told, *body[:-1], body[-1] + behind]


def class_notes(ruleset: RuleSet) -> dict[str, str]:
    """The comment of each word class."""
    return {entry.name: entry.note for entry in ruleset.entries if isinstance(entry, WordClass)}


def wrapped(line: str, note: str = "") -> list[str]:
    """A long line broken where people break it: before a bar. All parts but the last end in a backslash. `note`: the
    comment behind it."""
    # textwrap does not break here, so a bar stays with the word behind it, a bracket with the one before.
    held = line.replace("| ", f"|{_HELD}").replace(" )", f"{_HELD})")
    parts = textwrap.wrap(held, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    lines = [part.replace(_HELD, " ") for part in parts]
    return [*(f"{part} \\" for part in lines[:-1]), lines[-1] + (f"    // {note}" if note else "")]


def _replaced(lines: Sequence[str], replacement: Sequence[tuple[LogicalLine, Comments, list[str]]]) -> str:
    """The file with rules and the comments above them replaced."""
    physical = list(lines)
    for line, comments, own in sorted(replacement, key=lambda one: one[0].number, reverse=True):
        begin = line.number - 1
        physical[begin - len(comments.above) : begin + len(line.sources)] = own
    return "\n".join(physical)
