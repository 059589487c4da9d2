"""Rules added to a trained network, or switched off in it, without training it again; each edit is measured.

A model remembers the network that was trained (its origin) and what was edited since. Every edit is made from the
origin anew, so a rule that is switched on again brings its trained weights along, and nothing is changed in place:
undoing an edit is going back to the model before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.same_blocks import same_blocks
from re2nn_core.network.classification.transplant import restarted_labels, transplant
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.rules.logic.label_logic import NEVER, LabelLogic, write_logic
from re2nn_core.rules.names import did_you_mean
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.added_rules import NEW_LOGIC, NEW_RULES, Addition, Joined, join
from re2nn_core.services.rule_systems.label_logic_edits import logic_without
from re2nn_core.text.vocabulary import Vocabulary

# What a network must be so that each rule has a block of its own, and what it must be besides to take new blocks in.
_BLOCKS: dict[str, Any] = {"machines": "rule", "cell": "rnn", "decomposed": True, "block_diagonal": True, "rank": None}
_EXACT: dict[str, Any] = {"rule_weight": None, "initial": "rules"}


@dataclass(frozen=True)
class Edits:
    """All that was edited since the training: rules added, one after the other, and rules that are off."""

    additions: tuple[Addition, ...] = ()
    disabled: tuple[str, ...] = ()


@dataclass(frozen=True)
class EditedModel:
    """A network with edits. `origin` is the one that was trained, `bundle` the one that predicts (the same where there
    are no edits); `rules` are all rules, those that are off among them."""

    origin: Bundle
    edits: Edits
    bundle: Bundle
    rules: tuple[Rule, ...]

    @property
    def added(self) -> frozenset[str]:
        """The rules that were not there when the network was trained."""
        return frozenset(rule.name for rule in self.rules) - {rule.name for rule in self.origin.ruleset.rules}


@dataclass(frozen=True)
class EditCheck:
    """What an edit did. `same_weights`: the untouched rules' weights are bit by bit the same. `max_difference` is the
    largest change of one of their scores over the texts, 0 where all are `bit_equal`. `restarted` are labels whose
    trained aggregation could not be kept, `silent` those that no rule predicts any more. `answers_*` hold the label
    of each text, None for no prediction."""

    added: tuple[str, ...]
    disabled: tuple[str, ...]
    enabled: tuple[str, ...]
    untouched: tuple[str, ...]
    same_weights: bool
    max_difference: float
    bit_equal: bool
    restarted: tuple[str, ...]
    predictions_before: tuple[str | None, ...] = field(repr=False)
    predictions_after: tuple[str | None, ...] = field(repr=False)
    silent: tuple[str, ...] = ()

    @property
    def changed_predictions(self) -> tuple[int, ...]:
        """The places of texts whose prediction is another one now."""
        pairs = zip(self.predictions_before, self.predictions_after, strict=True)
        return tuple(place for place, (before, after) in enumerate(pairs) if before != after)


def unedited(bundle: Bundle) -> EditedModel:
    """A trained network as a model without edits."""
    return EditedModel(bundle, Edits(), bundle, bundle.ruleset.rules)


def add_rules(
    model: EditedModel, new: Addition, *, rules_file: str = NEW_RULES, logic_file: str = NEW_LOGIC
) -> EditedModel:
    """The model with further rules beside its own; labels that it does not know come last. RuleError and LogicError
    with the places in the new texts; InputError where the network's form has no blocks to add to."""
    edits = replace(model.edits, additions=(*model.edits.additions, new))
    return with_edits(model.origin, edits, rules_file=rules_file, logic_file=logic_file)


def disable_rule(model: EditedModel, name: str) -> EditedModel:
    """The model with one of its rules off. NotFoundError for an unknown rule; InputError where a label would then
    always be true, or no rule would be left."""
    if name in model.edits.disabled:
        raise InputError(f"The rule {name!r} is off already.\nSwitch it on again, or choose another rule.")
    return with_edits(model.origin, replace(model.edits, disabled=(*model.edits.disabled, name)))


def enable_rule(model: EditedModel, name: str) -> EditedModel:
    """The model with a rule on again that was switched off, as it was trained. NotFoundError where it is not off."""
    off = model.edits.disabled
    if name not in off:
        known = f"Off are: {', '.join(off)}." if off else "None of its rules is off."
        raise NotFoundError(f"The model has no rule {name!r} that is off. {known}")
    return with_edits(model.origin, replace(model.edits, disabled=tuple(rule for rule in off if rule != name)))


def with_edits(
    origin: Bundle, edits: Edits, *, rules_file: str = NEW_RULES, logic_file: str = NEW_LOGIC
) -> EditedModel:
    """The trained network with these edits and no others."""
    if edits == Edits():
        return unedited(origin)
    check_form(origin, adding=bool(edits.additions))
    whole = joined_rules(origin, edits.additions, rules_file=rules_file, logic_file=logic_file)
    rules_text, logic = _without(whole, edits.disabled)
    made = _built(origin, rules_text, logic)
    transplant(origin, made)
    edited = replace(made, trained=origin.trained, figures=origin.figures)
    return EditedModel(origin, edits, edited, whole.ruleset.rules)


def joined_rules(
    origin: Bundle,
    additions: Sequence[Addition],
    *,
    rules_file: str = NEW_RULES,
    logic_file: str = NEW_LOGIC,
) -> Joined:
    """The model's rules with all that was added, none of them off: quick, no network is made."""
    whole = Joined(origin.rules_text, origin.ruleset, origin.logic)
    for new in additions:
        whole = join(whole, new, lowercase=origin.tokenization.lowercase, rules_file=rules_file, logic_file=logic_file)
    return whole


def _without(whole: Joined, disabled: Collection[str]) -> tuple[str, LabelLogic]:
    """Rules and logic that are left."""
    names = [rule.name for rule in whole.ruleset.rules]
    for name in disabled:
        if name not in names:
            raise NotFoundError(f"The model has no rule {name!r}. {did_you_mean(name, names, 'rule')}")
    if not disabled:
        return whole.rules_text, whole.logic
    kept = tuple(e for e in whole.ruleset.entries if not (isinstance(e, Rule) and e.name in disabled))
    logic = logic_without(whole.logic, disabled)
    return write_rules(RuleSet(kept)), logic


def check_form(bundle: Bundle, *, adding: bool = False) -> None:
    """InputError where the network's form does not let its rules be switched off, or new ones be added."""
    if bundle.copies:
        raise InputError(
            f"This model is an ensemble of {1 + len(bundle.copies)} networks; only a single network can be edited.\n"
            "Train with “Combine members by: weights” (--average weights) to edit rules afterwards."
        )
    if wrong := _unlike(bundle, _BLOCKS):
        raise InputError(
            f"This model was trained with {wrong}, so its rules have no separate blocks.\n"
            "Train with one automaton for each rule, block-diagonal transitions and the rnn cell (the defaults)."
        )
    if adding and (wrong := _unlike(bundle, _EXACT)):
        raise InputError(
            f"This model was trained with {wrong}, so a new rule would not begin as it is written.\n"
            "Its rules can be switched off; train with the defaults to add rules afterwards."
        )


def _unlike(bundle: Bundle, wanted: Mapping[str, Any]) -> str:
    """The settings that are others than wanted, as words."""
    given = {name: getattr(bundle.config, name) for name in wanted}
    return ", ".join(setting_in_words(name, value) for name, value in given.items() if value != wanted[name])


def _built(origin: Bundle, rules_text: str, logic: LabelLogic) -> Bundle:
    """The untrained network of the rules, its words those of the origin and then the new ones, without vectors."""
    ruleset = read_rules(rules_text, lowercase=origin.tokenization.lowercase).ruleset
    words = (*origin.vocabulary.words, *sorted(ruleset.words - origin.vocabulary.index.keys()))
    dimensions = origin.network.reader.vectors.shape[1]
    return build_bundle(
        rules_text,
        write_logic(logic),
        origin.tokenization,
        Vocabulary(words),
        origin.config,
        np.zeros((len(words), dimensions), dtype=np.float32) if dimensions else None,
        origin.vectors_name,
        extra_labels=origin.extra_labels,
    )


def check_edit(before: EditedModel, after: EditedModel, texts: Sequence[str]) -> EditCheck:
    """Compare two models of one origin: what changed between them, and whether all else stayed."""
    old, new = predict(before.bundle, texts), predict(after.bundle, texts)
    untouched = tuple(name for name in old.machines if name in new.machines)
    # [texts, untouched rules]
    was = old.machine_scores[:, [old.machines.index(name) for name in untouched]]
    now = new.machine_scores[:, [new.machines.index(name) for name in untouched]]
    known = {rule.name for rule in before.rules}
    off_before, off_after = before.edits.disabled, after.edits.disabled
    return EditCheck(
        added=tuple(rule.name for rule in after.rules if rule.name not in known),
        disabled=tuple(name for name in off_after if name not in off_before),
        enabled=tuple(name for name in off_before if name not in off_after),
        untouched=untouched,
        same_weights=same_blocks(before.bundle, after.bundle, untouched),
        max_difference=float(np.abs(was - now).max(initial=0.0)),
        bit_equal=bool(np.array_equal(was, now)),
        restarted=restarted_labels(after.origin, after.bundle),
        predictions_before=tuple(old.predictions),
        predictions_after=tuple(new.predictions),
        silent=_silent(before.bundle.logic, after.bundle.logic),
    )


def _silent(before: LabelLogic, after: LabelLogic) -> tuple[str, ...]:
    """The labels that rules spoke for before, and none does after."""
    decided = {label for label, formula in zip(before.labels, before.formulas, strict=True) if formula != NEVER}
    left = {label for label, formula in zip(after.labels, after.formulas, strict=True) if formula != NEVER}
    return tuple(label for label in before.labels if label in decided - left and label != after.default)
