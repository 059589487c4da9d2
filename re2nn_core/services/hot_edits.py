"""Rules added to a trained network, or taken out of it, without training it again; each edit is measured.

Nothing is changed in place: an edit makes a new bundle, so undoing it is going back to the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.network.bundle import Bundle, build_bundle
from re2nn_core.network.transplant import transplant
from re2nn_core.rules.formulas import NEVER, And, Fact, Formula, Not, conjunction, disjunction
from re2nn_core.rules.logic import LabelLogic, write_logic
from re2nn_core.rules.names import did_you_mean
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.services.prediction import predict
from re2nn_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class HotEdit:
    """The edited network and what the edit did. `max_difference` is the largest change of an untouched rule's score
    over the texts; `changed_answers` the places of texts whose answer is another one now."""

    bundle: Bundle
    added: tuple[str, ...]
    removed: tuple[str, ...]
    untouched: tuple[str, ...]
    texts: int
    max_difference: float
    bit_equal: bool
    changed_answers: tuple[int, ...]


def add_rules(bundle: Bundle, new_rules: str, texts: Sequence[str], *, file: str = "<new rules>") -> HotEdit:
    """The network with further rules beside its own. A rule of a label that the network knows is one more way to that
    label; other labels come last. RuleError with the places in the new text; InputError where the network's form has
    no blocks to add to."""
    _check_form(bundle)
    # Read alone first, so that faults have the lines of the new text; then behind the old rules, for the names.
    read_rules(new_rules, file=file, lowercase=bundle.tokenization.lowercase)
    joined = bundle.rules_text.rstrip("\n") + "\n\n" + new_rules
    ruleset = read_rules(joined, file=file, lowercase=bundle.tokenization.lowercase).ruleset
    known = {rule.name for rule in bundle.ruleset.rules}
    added = [rule for rule in ruleset.rules if rule.name not in known]
    return _measured(bundle, joined, _logic_with(bundle.logic, added), texts)


def disable_rule(bundle: Bundle, name: str, texts: Sequence[str]) -> HotEdit:
    """The network without one of its rules. NotFoundError for an unknown rule; InputError where a label would then
    always be true, or no rule would be left."""
    _check_form(bundle)
    names = [rule.name for rule in bundle.ruleset.rules]
    if name not in names:
        raise NotFoundError(f"The model has no rule {name!r}. {did_you_mean(name, names, 'rule')}")
    if len(names) == 1:
        raise InputError(f"{name!r} is the model's only rule; a model needs at least one.\nAdd another rule first.")
    kept = tuple(e for e in bundle.ruleset.entries if not (isinstance(e, Rule) and e.name == name))
    return _measured(bundle, write_rules(RuleSet(kept)), _logic_without(bundle.logic, name), texts)


def _check_form(bundle: Bundle) -> None:
    wanted: dict[str, Any] = {"machines": "rule", "cell": "rnn", "decomposed": True, "keep_blocks": True}
    wrong = [f"{key} = {getattr(bundle.config, key)!r}" for key in wanted if getattr(bundle.config, key) != wanted[key]]
    if wrong:
        raise InputError(
            f"This model was trained with {', '.join(wrong)}, so its rules have no blocks of their own.\n"
            "Train with one machine a rule, blocks kept and the plain cell (the defaults) to edit rules afterwards."
        )


def _logic_with(logic: LabelLogic, added: Sequence[Rule]) -> LabelLogic:
    labels = tuple(dict.fromkeys([*logic.labels, *(rule.label for rule in added)]))
    old = dict(zip(logic.labels, logic.formulas, strict=True))
    formulas = []
    for label in labels:
        new = [Fact(rule.name) for rule in added if rule.label == label]
        before = [] if old.get(label, NEVER) == NEVER else [old[label]]
        formulas.append(disjunction([*before, *new]))
    return LabelLogic(labels, tuple(formulas), logic.priorities, logic.default)


def _logic_without(logic: LabelLogic, name: str) -> LabelLogic:
    formulas = []
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        left = _without(formula, name)
        if left is True:
            raise InputError(
                f"Without {name!r} the label {label!r} would be true for every text, since its logic asks for nothing "
                "else.\nChange the label logic first."
            )
        formulas.append(NEVER if left is False else left)
    return LabelLogic(logic.labels, tuple(formulas), logic.priorities, logic.default)


def _without(formula: Formula, name: str) -> Formula | bool:
    """The formula where the rule never accepts: simplified, or True or False where nothing is left."""
    if isinstance(formula, Fact):
        return False if formula.rule == name else formula
    if isinstance(formula, Not):
        inner = _without(formula.inner, name)
        return (not inner) if isinstance(inner, bool) else Not(inner)
    parts = [_without(part, name) for part in formula.parts]
    decisive = not isinstance(formula, And)  # one true part decides an "or", one false part an "and"
    if any(part is decisive for part in parts):
        return decisive
    rest = [part for part in parts if not isinstance(part, bool)]
    if not rest:
        return not decisive
    return disjunction(rest) if decisive else conjunction(rest)


def _measured(bundle: Bundle, rules_text: str, logic: LabelLogic, texts: Sequence[str]) -> HotEdit:
    ruleset = read_rules(rules_text, lowercase=bundle.tokenization.lowercase).ruleset
    words = (*bundle.vocabulary.words, *sorted(ruleset.words - bundle.vocabulary.index.keys()))
    dimensions = bundle.network.reader.vectors.shape[1]
    made = build_bundle(
        rules_text,
        write_logic(logic),
        bundle.tokenization,
        Vocabulary(words),
        bundle.config,
        np.zeros((len(words), dimensions), dtype=np.float32) if dimensions else None,
        bundle.vectors_name,
        extra_labels=bundle.extra_labels,
    )
    kept = transplant(bundle, made)
    edited = replace(made, trained=bundle.trained, figures=bundle.figures)
    before, after = predict(bundle, texts), predict(edited, texts)
    columns = [(before.machines.index(name), after.machines.index(name)) for name in kept]
    old = before.machine_scores[:, [o for o, _ in columns]]
    new = after.machine_scores[:, [n for _, n in columns]]
    pairs = zip(before.answers, after.answers, strict=True)
    return HotEdit(
        bundle=edited,
        added=tuple(name for name in after.machines if name not in before.machines),
        removed=tuple(name for name in before.machines if name not in after.machines),
        untouched=kept,
        texts=len(texts),
        max_difference=float(np.abs(old - new).max(initial=0.0)),
        bit_equal=bool(np.array_equal(old, new)),
        changed_answers=tuple(place for place, (a, b) in enumerate(pairs) if a != b),
    )
