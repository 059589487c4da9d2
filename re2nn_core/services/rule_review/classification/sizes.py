"""The sizes of a reconstruction of rules for labels, and the reconstruction of one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts, ReadRules
from re2nn_core.reconstruction.classification.report import Reconstruction, RuleChange, SplitAccuracy
from re2nn_core.reconstruction.classification.rule_comparison import added_words, split_accuracies
from re2nn_core.rules.tree import named_words
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, is_merged
from re2nn_core.services.rule_review.classification.accepted_changes import accept_labels, changed_labels
from re2nn_core.services.rule_review.sizes import (
    ReconstructionSize,
    Texts,
    counts_of_changes,
    never_worse,
    worth_first,
)

LabelSize = ReconstructionSize[SplitAccuracy]
_Moves = dict[str, Texts]


def label_sizes(bundle: Bundle, found: Reconstruction, texts: PredictedTexts) -> tuple[LabelSize, ...]:
    """The sizes of a reconstruction of a bundle, by what it predicts of `texts`; none where nothing changed, or rules
    were merged, which can be accepted only all at once."""
    written, lowercase = bundle.written, bundle.tokenization.lowercase
    changed = changed_labels(found, written[0], lowercase=lowercase)
    if not changed or is_merged(found, written[0], lowercase=lowercase):
        return ()
    original = texts.read(*written, lowercase=lowercase)
    new = texts.read(found.rules_text, found.logic_text, lowercase=lowercase)
    fixed, broken = _moves(found, texts, original)
    order = worth_first(fixed, broken, _words(original, new, changed))
    sizes = []
    for count in counts_of_changes(len(order))[:-1]:
        done = _accepted(found, order[:count], written, lowercase=lowercase)
        now = texts.read(done.rules_text, done.logic_text, lowercase=lowercase)
        figures = tuple(split_accuracies(texts, original, now))
        sizes.append(LabelSize(order[:count], added_words(original.ruleset, now.ruleset), figures))
    whole = LabelSize(order, added_words(original.ruleset, new.ruleset), found.accuracy)
    return never_worse((*sizes, whole), _correct_where_chosen)


def labels_of_size(
    found: Reconstruction, size: LabelSize, written: tuple[str, str], *, lowercase: bool
) -> Reconstruction:
    """The reconstruction with the changes of a size alone; `written`: the rules and the label logic before."""
    done = _accepted(found, size.names, written, lowercase=lowercase)
    return replace(
        found,
        rules_text=done.rules_text,
        logic_text=done.logic_text,
        accuracy=size.figures,
        rules=tuple(rule if rule.name in size.names else _as_written(rule) for rule in found.rules),
        new_logic=(),
        new_rules=tuple(rule for rule in found.new_rules if rule.name in size.names),
        new_words=size.words,
    )


def _correct_where_chosen(accuracy: Sequence[SplitAccuracy]) -> int:
    """How many labelled texts but those of test are predicted correctly."""
    return sum(round((one.reconstructed or 0.0) * one.labelled) for one in accuracy if one.split != "test")


def _accepted(
    found: Reconstruction, names: tuple[str, ...], written: tuple[str, str], *, lowercase: bool
) -> Acceptance:
    """Rules as they were learned, not in their author's form: decisions are about this form."""
    rules_text, logic_text = written
    return accept_labels(
        found,
        names,
        trained_on=rules_text,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
        edited=names,
    )


def _as_written(rule: RuleChange) -> RuleChange:
    return RuleChange(rule.name, rule.label, rule.original_text, rule.original_text, None, True, None, None, (), ())


def _words(original: ReadRules, new: ReadRules, changed: frozenset[str]) -> dict[str, int]:
    """How many words each change names that the written rule does not."""
    own = {rule.name: set(named_words(rule.expanded)) for rule in original.ruleset.rules}
    now = {rule.name: set(named_words(rule.expanded)) for rule in new.ruleset.rules}
    return {name: len(now[name] - own.get(name, set())) for name in changed}


def _moves(found: Reconstruction, texts: PredictedTexts, original: ReadRules) -> tuple[_Moves, _Moves]:
    """The texts that each change may fix, and break, by itself: what the label logic makes of it is not looked at. Test
    texts count for nothing."""
    gold, before = [None if one.split == "test" else one.label for one in texts.corpus], original.predictions
    fixed, broken = {}, {}
    # (name, label, texts that the rule accepts now and did not, those that it accepted)
    moved = [
        *((rule.name, rule.label, rule.won, rule.lost) for rule in found.rules if not rule.kept_original),
        *((rule.name, rule.label, rule.texts, ()) for rule in found.new_rules),
    ]
    for name, label, won, lost in sorted(moved):
        better = [*(t for t in won if gold[t] == label != before[t]), *(t for t in lost if before[t] == label)]
        fixed[name] = Texts(t for t in better if gold[t] not in (None, before[t]))
        broken[name] = Texts(t for t in (*won, *lost) if gold[t] is not None and before[t] == gold[t])
        broken[name] -= Texts(t for t in won if gold[t] == label) | Texts(t for t in lost if gold[t] != label)
    return fixed, broken
