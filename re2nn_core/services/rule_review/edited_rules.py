"""Reconstructed rules with some of them as a reviewer edited them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.rules.exceptions import more_than_words
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import classes_for, with_rules_replaced
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.tree import ClassReference, Except, Node, class_names, leaves_of, rebuild
from re2nn_core.services.rule_review.shortened_classes import with_shortened_classes
from re2nn_core.text.joined_names import first_names

_NAMED = 8  # classes that a message lists


def with_edited_rules(
    rules_text: str, edited: Mapping[str, str], *, lowercase: bool, shorten_classes: bool = True
) -> str:
    """The rules with the expressions of `edited` (by name) in the place of their own. Many words of a learned class
    that one of them lists are a class in front of it where it is to `shorten_classes`. RuleError with what is wrong in
    an expression, InputError for a word class that there is not; a name that the rules have not is passed over."""
    if not edited:
        return rules_text
    source = read_rules(rules_text, lowercase=lowercase).ruleset
    entries = [
        part
        for one in source.entries
        for part in _edited(source, one, edited, lowercase=lowercase, shorten_classes=shorten_classes)
    ]
    names = [rule.name for rule in source.rules if rule.name in edited]
    text, _ = with_rules_replaced(rules_text, source, RuleSet(tuple(entries)), names)
    read_rules(text, lowercase=lowercase)  # whatever is wrong with the whole is reported here
    return text


def unreadable_edits(rules_text: str, edited: Mapping[str, str], *, lowercase: bool) -> frozenset[str]:
    """The rules whose edit cannot be read in these rules: of a word class that is called otherwise since, say."""

    def fits(name: str) -> bool:
        try:
            with_edited_rules(rules_text, {name: edited[name]}, lowercase=lowercase)
        except Re2nnError:
            return False
        return True

    return frozenset(name for name in edited if not fits(name))


def with_known_classes(text: str, rule: str, shown_text: str, rules_text: str, *, lowercase: bool) -> str:
    """An expression that somebody wrote for a rule as it is shown, for the rules themselves: it names no class that
    came where an edit was shown (shortened_classes.py). RuleError with what is wrong in it."""
    in_force = [_in_force(read_rules(one, lowercase=lowercase).ruleset, rule) for one in (shown_text, rules_text)]
    came = {name: tree for name, tree in in_force[0].items() if name not in in_force[1]}
    tree = parse_expression(text, file=rule)
    if came.keys().isdisjoint(class_names(tree)):
        return text
    return print_expression(
        rebuild(tree, lambda leaf: came.get(leaf.name, leaf) if isinstance(leaf, ClassReference) else leaf)
    )


def _in_force(rules: RuleSet, name: str) -> Mapping[str, Node]:
    rule = next((one for one in rules.rules if one.name == name), None)
    return {} if rule is None else classes_for(rules, rule)


def _edited(
    source: RuleSet, entry: Rule | WordClass, edited: Mapping[str, str], *, lowercase: bool, shorten_classes: bool
) -> tuple[Rule | WordClass, ...]:
    """An entry in its new form, behind the classes that came."""
    if not isinstance(entry, Rule) or entry.name not in edited:
        return (entry,)
    tree, classes = parse_expression(edited[entry.name], file=entry.name), classes_for(source, entry)
    for name in class_names(tree):
        if name not in classes:
            known = first_names([f"@{name}@" for name in classes], _NAMED) or "none"
            raise InputError(
                f"There is no word class @{name}@ that the rule {entry.name} could use. Known classes: {known}. "
                "Write the words in its place."
            )
    for part in leaves_of(tree):
        for member in part.members if isinstance(part, Except) else ():
            if (option := more_than_words(expand(member, classes, lowercase=lowercase))) is not None:
                raise InputError(
                    f"The rule {entry.name} leaves out {print_expression(member)}, but [^ ... ] reads one word and "
                    f"this class holds {option}. Use a class of single words there."
                )
    expanded = expand(tree, classes, lowercase=lowercase)
    tree, came = with_shortened_classes(source, entry, tree) if shorten_classes else (tree, ())
    return *came, replace(entry, tree=tree, expanded=expanded)
