"""A learned rule in its author's form: the written rule with the change in it, and nothing else.

A network's automaton is written anew, in the order of the alphabet and without the author's classes. Of the forms that
say the same, the one that leaves most of the written rule as it stands is taken: the written rule with other words at
its places, the two forms as one text without what went, or the learned rule as it is. Many words that come at one place
are a class of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from re2nn_core.errors import Re2nnError, StateBudgetError
from re2nn_core.reconstruction.classification.edit_proofs import PAIRS, SENTENCES, tagged_sentences
from re2nn_core.reconstruction.classification.widened_rule import widened_rule
from re2nn_core.reconstruction.expressions.same_tagged import say_the_same
from re2nn_core.rules.kept_layout import kept_places
from re2nn_core.rules.lexer import rule_tokens
from re2nn_core.rules.names import name_with_number
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.tagging import has_slots, tagged, with_slot_case
from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Node,
    Repeat,
    Tagged,
    Word,
    choice,
    class_names,
    concat,
    into_exceptions,
    named_words,
    rebuild,
)
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, inline_difference

_MOST_TOKENS = 2_000  # of a rule whose forms are compared
_IN_A_ROW = 8  # words that come at one place without being a class
_Classes = tuple[tuple[str, Node], ...]
_Change = Callable[[Node], Node]


@dataclass(frozen=True)
class WrittenForm:
    """An expression, and the classes that it needs in front of it."""

    tree: Node
    classes: tuple[WordClass, ...] = ()


def in_written_form(
    written: RuleSet, learned: RuleSet, name: str, *, lowercase: bool, known_slots: Sequence[str] = ()
) -> WrittenForm:
    """The learned rule of a name in the form of the written one; both sets have it. `known_slots`: how the data spell
    slots."""
    old, new = (next(rule for rule in side.rules if rule.name == name) for side in (written, learned))
    classes = classes_for(written, old), classes_for(learned, new)
    used = tuple(_named(side, {*class_names(old.tree), *class_names(new.tree)}) for side in classes)
    form = _form(replace(old, line=0), replace(new, line=0), used, tuple(known_slots), lowercase)
    there = {entry.name for side in (written, learned) for entry in side.entries if isinstance(entry, WordClass)}
    fresh = {one.name: name_with_number(one.name, there) for one in form.classes if one.name not in classes[1]}
    made = (replace(one, name=fresh.get(one.name, one.name)) for one in form.classes)
    return WrittenForm(_renamed(form.tree, fresh), _noted(tuple(made), learned))


def with_written_forms(
    written: RuleSet,
    learned: RuleSet,
    names: Collection[str],
    *,
    lowercase: bool,
    known_slots: Sequence[str] = (),
    edited: Collection[str] = (),
) -> RuleSet:
    """The written rules with the named ones as they were learned, each in its author's form; `edited` ones as they
    are."""
    new = {rule.name: rule for rule in learned.rules}
    entries: list[Rule | WordClass] = []
    for entry in written.entries:
        if isinstance(entry, WordClass) or entry.name not in names:
            entries.append(entry)
        elif entry.name in edited:
            form = _as_it_is(
                new[entry.name], *(classes_for(*one) for one in ((written, entry), (learned, new[entry.name])))
            )
            entries += [*_noted(form.classes, learned), replace(new[entry.name], line=entry.line)]
        else:
            form = in_written_form(written, learned, entry.name, lowercase=lowercase, known_slots=known_slots)
            entries += [*form.classes, replace(entry, tree=form.tree, expanded=new[entry.name].expanded)]
    return RuleSet(tuple(entries))


def _as_it_is(new: Rule, own: Mapping[str, Node], learned: Mapping[str, Node]) -> WrittenForm:
    names = (name for name in class_names(new.tree) if name in learned and own.get(name) != learned[name])
    return WrittenForm(new.tree, tuple(WordClass(name, learned[name]) for name in names))


def _noted(classes: Sequence[WordClass], learned: RuleSet) -> tuple[WordClass, ...]:
    """Learned classes with what is said of them."""
    known = {entry.name: entry for entry in learned.entries if isinstance(entry, WordClass)}
    return tuple(replace(one, note=known[one.name].note) if one.name in known else one for one in classes)


def _named(classes: Mapping[str, Node], names: Collection[str]) -> _Classes:
    return tuple(sorted((name, classes[name]) for name in names if name in classes))


def _renamed(tree: Node, names: Mapping[str, str]) -> Node:
    def renamed(node: Node) -> Node:
        return ClassReference(names.get(node.name, node.name)) if isinstance(node, ClassReference) else node

    return rebuild(tree, into_exceptions(renamed))


@lru_cache(maxsize=512)
def _form(
    old: Rule, new: Rule, classes: tuple[_Classes, _Classes], known_slots: tuple[str, ...], lowercase: bool
) -> WrittenForm:
    return min(_forms(old, new, classes, known_slots, lowercase), key=partial(_changed, old))


def _forms(
    old: Rule, new: Rule, classes: tuple[_Classes, _Classes], known_slots: tuple[str, ...], lowercase: bool
) -> Iterator[WrittenForm]:
    """The learned rule as it is, and those of its other forms that say the same."""
    own, learned = map(dict, classes)
    changed = {name: tree for name, tree in learned.items() if own.get(name) != tree}
    yield _as_it_is(new, own, learned)
    if max(len(rule_tokens(print_expression(rule.expanded))) for rule in (old, new)) > _MOST_TOKENS:
        return
    known = {**changed, **own}
    for tree in (_widened(old, new, own, known_slots, lowercase), _merged(old, new, own, learned)):
        if tree is None:
            continue
        made: dict[str, Node] = {}
        tree = _with_class_of_learned(tree, old, changed, made)
        in_force = {**known, **made}
        if _says_the_same(expand(tree, in_force, lowercase), new.expanded, known_slots):
            names = [name for name in class_names(tree) if name not in own]
            yield WrittenForm(tree, tuple(WordClass(name, in_force[name]) for name in names))


def _widened(
    old: Rule, new: Rule, own: Mapping[str, Node], known_slots: tuple[str, ...], lowercase: bool
) -> Node | None:
    language = tagged_sentences(known_slots) if has_slots(old.expanded) or has_slots(new.expanded) else SENTENCES
    put_in = partial(expand, classes=dict(own), lowercase=lowercase)
    try:
        return widened_rule(old.tree, new.expanded, put_in, language)
    except StateBudgetError:
        return None


def _merged(old: Rule, new: Rule, own: Mapping[str, Node], learned: Mapping[str, Node]) -> Node | None:
    """Both forms as one text, as the change is shown, without what went."""
    pieces = inline_difference(old.tree, new.tree, own, learned)
    try:
        return parse_expression("".join(map(_left_of, pieces)))
    except Re2nnError:
        return None


def _left_of(piece: InlinePiece) -> str:
    if piece.side == "removed":
        return ""
    if not piece.words or all(side == piece.side for _, side in piece.words):
        return piece.text
    tag = piece.text.strip("@").partition("<:>")[2]
    came = [word for word, side in piece.words if side == "added"]
    stays = [word for word, side in piece.words if side == "kept"]
    named = [piece.text.partition("<:>")[0].rstrip("@") + "@"] if len(came) + len(stays) == len(piece.words) else stays
    return f"( {' | '.join([*named, *came])} )" + (f"<:>{tag}" if tag else "")


def _says_the_same(one: Node, other: Node, known_slots: Sequence[str]) -> bool:
    if not has_slots(one) and not has_slots(other):
        return _accept_the_same(one, other)
    first, second = (tagged(with_slot_case(tree, known_slots)) for tree in (one, other))
    return say_the_same(first, second)


def _accept_the_same(one: Node, other: Node) -> bool:
    """No where that takes too long to say."""
    try:
        first, second = (SENTENCES.machine([tree]) for tree in (one, other))
        escapes = (SENTENCES.escape(*sides, budget=PAIRS) for sides in ((first, second), (second, first)))
        return all(escape is None for escape in escapes)
    except StateBudgetError:
        return False


def _with_class_of_learned(tree: Node, old: Rule, learned: Mapping[str, Node], made: dict[str, Node]) -> Node:
    """The expression with many words that came at one place as a class, of the learned ones where there is one of these
    words. `made` gets those that are new."""
    own, stem = named_words(old.expanded), re.sub(r"[^\w.\-]", "_", old.name)
    by_words = {frozenset(node.options): name for name, node in learned.items() if isinstance(node, Choice)}

    def gathered(node: Node) -> Node:
        came = (
            [one for one in node.options if isinstance(one, Word) and one.text not in own]
            if isinstance(node, Choice)
            else []
        )
        if not isinstance(node, Choice) or len(came) <= _IN_A_ROW:
            return node
        name = by_words.get(frozenset(came))
        if name is None:
            name = next((name for name, words in made.items() if words == choice([*came])), None)
        if name is None:
            name = name_with_number(f"{stem}.learned_{len(came)}", {*made, *learned})
            made[name] = choice([*came])
        rest = [one for one in node.options if one not in came]
        return choice([*rest, ClassReference(name)])

    return with_parts_changed(tree, gathered)


def with_parts_changed(node: Node, change: _Change) -> Node:
    """The tree with every node changed, parts first."""
    if isinstance(node, Concat):
        return change(concat([with_parts_changed(part, change) for part in node.parts]))
    if isinstance(node, Choice):
        return change(choice([with_parts_changed(part, change) for part in node.options]))
    if isinstance(node, Repeat | Capture | Tagged | ButNot):
        return change(replace(node, inner=with_parts_changed(node.inner, change)))
    return change(node)


def _changed(old: Rule, form: WrittenForm) -> int:
    """How many signs and words a form has that the written rule has not there, or lacks."""
    before, after = (rule_tokens(print_expression(tree)) for tree in (old.tree, form.tree))
    kept = len(kept_places(before, after)) if len(before) * len(after) <= _MOST_TOKENS**2 else 0
    own = sum(len(rule_tokens(print_expression(one.tree))) for one in form.classes)
    return len(before) + len(after) - 2 * kept + own
