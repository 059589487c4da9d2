"""The sizes of a reconstruction of rules for slots, and the reconstruction of one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags, Tags
from re2nn_core.reconstruction.slot_filling.report import SlotReconstruction, SlotRuleChange, SplitScores
from re2nn_core.reconstruction.slot_filling.rule_comparison import split_scores
from re2nn_core.rules.tree import named_words
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import TaggerPredictions
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_review.sizes import ReconstructionSize, counts_of_changes, gain_first, never_worse
from re2nn_core.services.rule_review.slot_filling.change_gains import ChangeGains
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.training.span_scores import scores_of_counts

SlotSize = ReconstructionSize[SplitScores]
RECONSTRUCTED, SIZED = (0, 90), (90, 100)  # parts of the progress


def slot_sizes(
    bundle: TaggerBundle,
    found: SlotReconstruction,
    predictions: TaggerPredictions,
    texts: PredictedTags,
    on_progress: OnProgress = lambda *_: None,
) -> tuple[SlotSize, ...]:
    """The sizes of a reconstruction of a bundle, by what it predicts of `texts`; none where nothing changed."""
    parts = bundle.parts
    written = parts.rules_text, parts.logic_text
    changes = [*(rule.name for rule in found.rules if not rule.kept_original), *(rule.name for rule in found.new_rules)]
    if not changes:
        return ()
    original = predictions.rules(*written)

    def tags(names: tuple[str, ...]) -> tuple[SlotSystem, list[Tags]]:
        done = _accepted(found, names, original)
        system = predictions.rules(done.rules_text, done.logic_text)
        return system, list(texts.by_rules((done.rules_text, done.logic_text), system))

    before, new = texts.by_rules(written, original), predictions.rules(found.rules_text, found.logic_text)
    words_of = _words(original, new)
    gains, changed = ChangeGains(texts, original, new, changes), {rule.name for rule in found.rules}
    order = gain_first({name: words_of[name] for name in changes}, gains.of, gains.make)
    sizes, counts = [], counts_of_changes(len(order))
    for number, count in enumerate(counts[:-1], 1):
        on_progress(number, len(counts))
        names = order[:count]
        system, now = tags(names)
        _, without_new = tags(tuple(name for name in names if name in changed))
        words = frozenset[str]().union(*_words(original, system).values())
        sizes.append(SlotSize(names, len(words), tuple(split_scores(texts, before, without_new, now))))
    whole = SlotSize(order, len(frozenset[str]().union(*words_of.values())), found.scores)
    return never_worse((*sizes, whole), _f1_where_chosen)


def slots_of_size(found: SlotReconstruction, size: SlotSize, written: SlotSystem) -> SlotReconstruction:
    """The reconstruction with the changes of a size alone; `written`: the rules before."""
    done = _accepted(found, size.names, written)
    return replace(
        found,
        rules_text=done.rules_text,
        logic_text=done.logic_text,
        scores=size.figures,
        rules=tuple(rule if rule.name in size.names else _as_written(rule) for rule in found.rules),
        new_rules=tuple(rule for rule in found.new_rules if rule.name in size.names),
        new_priorities=found.new_priorities if size.names else (),
    )


def _f1_where_chosen(scores: Sequence[SplitScores]) -> float:
    """F1 on all annotated texts but those of test."""
    own = [one.reconstructed for one in scores if one.split != "test" and one.reconstructed is not None]
    return scores_of_counts(
        sum(one.support for one in own), sum(one.found for one in own), sum(one.right for one in own)
    ).f1


def _accepted(found: SlotReconstruction, names: tuple[str, ...], written: SlotSystem) -> Acceptance:
    """Rules as they were learned, not in their author's form: decisions are about this form."""
    return accept_slots(
        found,
        names,
        trained_on=written.rules_text,
        rules_text=written.rules_text,
        logic_text=written.logic_text,
        tokenization=written.tokenization,
        known_slots=written.known_slots,
        edited=names,
    )


def _as_written(rule: SlotRuleChange) -> SlotRuleChange:
    return SlotRuleChange(rule.name, rule.label, rule.original_text, rule.original_text, kept_original=True)


def _words(original: SlotSystem, new: SlotSystem) -> dict[str, frozenset[str]]:
    """The words that each rule names and the written one does not. Several rules may name those of one word class."""
    own = {rule.name: named_words(rule.expanded) for rule in original.ruleset.rules}
    return {rule.name: named_words(rule.expanded) - own.get(rule.name, frozenset()) for rule in new.ruleset.rules}
