"""The changes of rules for labels as a review document shows them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.progress import part_of
from re2nn_core.rules.tree import Node
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev as learned_from_dev_of
from re2nn_core.services.rule_reconstruction.classification.reconstruction import OnProgress, Reconstruction
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, is_merged
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.change_repairs import (
    NO_REPAIRS,
    RepairMeasures,
    Repairs,
    find_repairs,
    label_errors,
    label_readings,
)
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.accepted_changes import accept_labels, changed_labels
from re2nn_core.services.rule_review.classification.deciding_words import deciding_words
from re2nn_core.services.rule_review.classification.new_rule_patterns import patterns_of_new
from re2nn_core.services.rule_review.classification.overridden_logic import overridden_logic
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    reconstruct_run,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.edited_rules import with_edited_rules
from re2nn_core.services.rule_review.evidence.word_evidence import words_with_evidence
from re2nn_core.services.rule_review.model_review import (
    ALONE,
    AS_LEARNED,
    RECOMMENDED_FORMS,
    REPAIRED,
    ModelReview,
    rule_files,
)
from re2nn_core.services.rule_review.patterns import NewRulePatterns, OverriddenLogic
from re2nn_core.services.rule_review.review_document import (
    WHOLE,
    MarkKind,
    ReviewedText,
    ReviewFigure,
    ReviewMaterial,
    TextMark,
)
from re2nn_core.services.rule_review.split_roles import held_out_places, places_by_split, places_of_test
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import (
    Analysis,
    analyse,
    effect,
)
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import ProjectRecord, RunRecord, Store
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import words_of_all

NO_PREDICTION = "no prediction"
_KINDS: Mapping[str, MarkKind] = {"hit": "matched", "any": "wildcard", "new": "learned", "gone": "lost"}
Rules = tuple[str, str]  # their text and that of their logic


def label_review(
    bundle: Bundle,
    found: Reconstruction,
    corpus: Corpus,
    *,
    learned_from_dev: bool,
    on_progress: OnProgress = lambda *_: None,
) -> ModelReview:
    """The review of a network's reconstruction in the rules that it was trained from. StateBudgetError."""
    written = read_system(*bundle.written, bundle.tokenization)[0]
    lowercase = bundle.tokenization.lowercase
    splits = [example.split for example in corpus]
    held = held_out_places(splits, [e.label is not None for e in corpus], learned_from_dev=learned_from_dev)
    texts = [(example.text, example.split) for example in corpus]

    def with_texts(edited: Mapping[str, str]) -> Reconstruction:
        return replace(found, rules_text=with_edited_rules(found.rules_text, edited, lowercase=lowercase))

    def accept(names: Collection[str], edited: Mapping[str, str]) -> Acceptance:
        return _accept(written, with_texts(edited), names, edited)

    def in_forms(forms: Mapping[str, str]) -> ReviewMaterial:
        own = with_texts(forms)
        learned = read_system(own.rules_text, own.logic_text, bundle.tokenization)[0]
        report = part_of(on_progress, RECOMMENDED_FORMS if forms else AS_LEARNED)
        effects = label_effects(written, own, corpus, sorted(held[1]), part_of(report, ALONE))
        part = part_of(report, REPAIRED)
        repairs = label_repairs(written, own, corpus, effects, part) if held[0] is not None else {}
        return label_material(
            (written, learned), own, effects, texts, held, learned_from_dev=learned_from_dev, repairs=repairs
        )

    files = rule_files(written.rules_text, written.logic_text)
    return ModelReview(in_forms({}), accept, files, in_forms)


def label_run_review(store: Store, project: ProjectRecord, run: RunRecord, on_progress: OnProgress) -> ModelReview:
    """The review of a run of a project: of its stored reconstruction, or where that is of other texts or labels, of one
    that is made now and kept. ModelError, InputError, StateBudgetError."""
    records = training_texts(store, project.id)
    stored = stored_reconstruction(run.folder)
    if stored is None or stored.stopped or not stored.fits(records):
        stored = reconstruct_run(run, records, on_progress=on_progress)
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    learned = learned_from_dev_of(run, corpus)
    return label_review(bundle_of(run), stored.reconstruction, corpus, learned_from_dev=learned)


def _accept(
    original: RuleSystem, found: Reconstruction, names: Iterable[str], edited: Collection[str] = ()
) -> Acceptance:
    return accept_labels(
        found,
        frozenset(names),
        trained_on=original.rules_text,
        rules_text=original.rules_text,
        logic_text=original.logic_text,
        lowercase=original.tokenization.lowercase,
        edited=edited,
    )


def label_effects(
    original: RuleSystem,
    found: Reconstruction,
    corpus: Corpus,
    held: Sequence[int],
    on_progress: OnProgress = lambda *_: None,
) -> dict[str, ChangeEffect]:
    """What each change does alone in the rules that the network was trained from; all together under `WHOLE` where
    rules were merged. `held`: places of held-out labelled texts. StateBudgetError."""
    bench = TextBench(corpus.texts, original.tokenization)
    gold = [example.label for example in corpus]
    before = analyse(bench, gold, original.rules_text, original.logic_text)

    def measured(names: Iterable[str]) -> ChangeEffect:
        accepted = _accept(original, found, names)
        now = analyse(bench, gold, accepted.rules_text, accepted.logic_text)
        gain = _share(now, held) - _share(before, held) if held else None
        return ChangeEffect(before, now, effect(now, before), gain)

    lowercase = original.tokenization.lowercase
    names = changed_labels(found, original.rules_text, lowercase=lowercase)
    if is_merged(found, original.rules_text, lowercase=lowercase):
        return {WHOLE: measured(names)}
    effects = {}
    for number, name in enumerate(sorted(names), 1):
        effects[name] = measured((name,))
        on_progress(number, len(names))
    return effects


def label_repairs(
    original: RuleSystem,
    found: Reconstruction,
    corpus: Corpus,
    effects: Mapping[str, ChangeEffect],
    on_progress: OnProgress = lambda *_: None,
) -> Repairs:
    """Which changes repair what others break in the rules that the network was trained from. StateBudgetError."""
    if WHOLE in effects:
        return {}
    gold = [example.label for example in corpus]

    def analyser(places: Sequence[int]) -> Callable[[Rules], Analysis]:
        bench = TextBench([corpus.texts[place] for place in places], original.tokenization)
        known = [gold[place] for place in places]
        return lambda rules: analyse(bench, known, *rules)

    def accepted(*names: str) -> Rules:
        found_rules = _accept(original, found, names)
        return found_rules.rules_text, found_rules.logic_text

    splits = places_by_split([(one.split, one.label is not None) for one in corpus])
    measures = RepairMeasures(
        alone=lambda name: (accepted(name), (original.rules_text, original.logic_text)),
        both=accepted,
        few=analyser,
        whole=lambda rules: analyser(range(len(corpus)))(rules),
        errors=label_errors,
        reads=label_readings,
        effect=effect,
        gains=lambda before, now: [_share(now, places) - _share(before, places) for places in splits],
    )
    return find_repairs(effects, measures, on_progress)


def _share(side: Analysis, places: Sequence[int]) -> float:
    return int(side.correct[list(places)].sum()) / len(places)


def label_material(
    systems: tuple[RuleSystem, RuleSystem],
    found: Reconstruction,
    effects: Mapping[str, ChangeEffect],
    texts: Sequence[tuple[str, str | None]],
    held: tuple[str | None, frozenset[int]],
    *,
    learned_from_dev: bool,
    repairs: Repairs = NO_REPAIRS,
) -> ReviewMaterial:
    """`systems` are the rules trained from and the reconstructed ones; `texts` are those of the effects, each with its
    split; `held`: the held-out split and the places of its labelled texts."""
    sides = tuple({rule.name: rule for rule in system.ruleset.rules} for system in systems)

    def rule(name: str) -> ChangedRule:
        lowercase = systems[1].tokenization.lowercase
        return ChangedRule(name, (systems[0].ruleset, systems[1].ruleset), learned=True, lowercase=lowercase)

    def trees(name: str) -> tuple[Node | None, Node | None]:
        before, after = (None if (own := side.get(name)) is None else own.expanded for side in sides)
        return before, after

    @cache
    def bench() -> TextBench:
        return TextBench([text for text, _ in texts], systems[1].tokenization)

    def is_new(name: str) -> bool:
        return name != WHOLE and rule(name).before is None

    def patterns(name: str) -> NewRulePatterns | None:
        return patterns_of_new(rule(name), effects[name].now, bench(), held[1]) if is_new(name) else None

    def overridden(name: str) -> OverriddenLogic | None:
        own, sentences = effects[name], [text for text, _ in texts]
        return overridden_logic(rule(name).newest, own.before, own.now, sentences) if is_new(name) else None

    def shown(name: str, moved: ChangeEffect, places: Sequence[int]) -> Sequence[ReviewedText]:
        own = [texts[place] for place in places]
        words = deciding_words(*trees(name), [text for text, _ in own], systems[1].tokenization)
        marks = [tuple(TextMark(start, end, _KINDS[kind]) for start, end, kind in marked) for marked in words]
        return [_text(one, moved, place, mark) for one, place, mark in zip(own, places, marks, strict=True)]

    return ReviewMaterial(
        tagging=False,
        measure="Accuracy",
        figures=tuple(
            ReviewFigure(
                one.split,
                one.texts,
                one.original,
                one.network,
                one.reconstructed,
                one.labelled,
                one.better,
                one.worse,
            )
            for one in found.accuracy
        ),
        order=systems[1].rule_names,
        rules=rule,
        trees=trees,
        groups=lambda name: (rule(name).newest.label,),
        effects=effects,
        tokenization=systems[1].tokenization,
        text=shown,
        split=held[0],
        held=held[1],
        on_test=places_of_test(texts, held[1]),
        seen=words_with_evidence(words_of_all([text for text, _ in texts], systems[1].tokenization), held[1]),
        chose="thresholds",
        learned_from_dev=learned_from_dev,
        patterns=patterns,
        overridden=overridden,
        repairs=repairs,
    )


def _text(one: tuple[str, str | None], moved: ChangeEffect, place: int, marks: tuple[TextMark, ...]) -> ReviewedText:
    text, split = one
    gold = int(moved.now.gold[place])
    return ReviewedText(
        text,
        split or "",
        moved.before.prediction(place) or NO_PREDICTION,
        moved.now.prediction(place) or NO_PREDICTION,
        moved.now.labels[gold] if gold >= 0 else None,
        marks,
    )
