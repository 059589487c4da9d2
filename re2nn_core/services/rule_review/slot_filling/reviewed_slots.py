"""The changes of rules for slots as a review document shows them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.progress import part_of
from re2nn_core.rules.tagging import slots_of
from re2nn_core.rules.tree import Node
from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev as learned_from_dev_of
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import OnProgress, SlotReconstruction
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.change_repairs import (
    NO_REPAIRS,
    RepairMeasures,
    Repairs,
    find_repairs,
    slot_readings,
    span_errors,
)
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.edited_rules import with_edited_rules
from re2nn_core.services.rule_review.evidence.word_evidence import annotated_words, words_with_evidence
from re2nn_core.services.rule_review.model_review import ALONE, REPAIRED, ModelReview, rule_files
from re2nn_core.services.rule_review.review_document import (
    MarkKind,
    ReviewedText,
    ReviewFigure,
    ReviewMaterial,
    TextMark,
)
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import (
    reconstruct_slot_run,
    stored_slot_reconstruction,
)
from re2nn_core.services.rule_review.split_roles import held_out_places, places_by_split, places_of_test
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots, slot_effect
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import ProjectRecord, RunRecord, Store
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, words_of_all
from re2nn_core.training.span_scores import SpanScores

Spans = Sequence[Span]
NO_SPAN = "no span"
Rules = tuple[str, str]  # their text and that of their priorities


def slot_review(
    bundle: TaggerBundle,
    found: SlotReconstruction,
    corpus: Corpus,
    *,
    learned_from_dev: bool,
    on_progress: OnProgress = lambda *_: None,
) -> ModelReview:
    """The review of a tagger's reconstruction in the rules that it was trained from. StateBudgetError."""
    parts = bundle.parts
    written = read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)[0]
    splits = [example.split for example in corpus]
    held = held_out_places(splits, [e.spans is not None for e in corpus], learned_from_dev=learned_from_dev)
    texts = [(example.text, example.split) for example in corpus]

    def with_texts(edited: Mapping[str, str]) -> SlotReconstruction:
        text = with_edited_rules(found.rules_text, edited, lowercase=parts.tokenization.lowercase)
        return replace(found, rules_text=text)

    def accept(names: Collection[str], edited: Mapping[str, str]) -> Acceptance:
        return _accept(written, with_texts(edited), names, edited)

    def in_forms(forms: Mapping[str, str]) -> ReviewMaterial:
        own = with_texts(forms)
        learned = read_slot_system(own.rules_text, own.logic_text, parts.tokenization, known_slots=parts.known_slots)[0]
        effects = slot_effects(written, own, corpus, sorted(held[1]), part_of(on_progress, ALONE))
        part = part_of(on_progress, REPAIRED)
        repairs = slot_repairs(written, own, corpus, effects, part) if held[0] is not None else {}
        return slot_material(
            (written, learned), own, effects, texts, held, learned_from_dev=learned_from_dev, repairs=repairs
        )

    files = rule_files(written.rules_text, written.logic_text)
    return ModelReview(in_forms({}), accept, files, in_forms)


def slot_run_review(store: Store, project: ProjectRecord, run: RunRecord, on_progress: OnProgress) -> ModelReview:
    """The review of a run of a project, as classification/reviewed_labels.py makes it."""
    records = training_texts(store, project.id)
    stored = stored_slot_reconstruction(run.folder)
    if stored is None or stored.stopped or not stored.fits(records):
        stored = reconstruct_slot_run(run, records, on_progress=on_progress)
    bundle = tagger_of(run)
    corpus = Corpus(span_examples_of(records, bundle.parts.known_slots))
    learned = learned_from_dev_of(run, corpus)
    return slot_review(bundle, stored.reconstruction, corpus, learned_from_dev=learned)


def _accept(
    original: SlotSystem, found: SlotReconstruction, names: Iterable[str], edited: Collection[str] = ()
) -> Acceptance:
    return accept_slots(
        found,
        frozenset(names),
        trained_on=original.rules_text,
        rules_text=original.rules_text,
        logic_text=original.logic_text,
        tokenization=original.tokenization,
        known_slots=original.known_slots,
        edited=edited,
    )


def changed_slots(found: SlotReconstruction) -> tuple[str, ...]:
    """The names of the rules that changed or are new."""
    changed = (rule.name for rule in found.rules if not rule.kept_original)
    return (*changed, *(rule.name for rule in found.new_rules))


def slot_effects(
    original: SlotSystem,
    found: SlotReconstruction,
    corpus: Corpus,
    held: Sequence[int],
    on_progress: OnProgress = lambda *_: None,
) -> dict[str, ChangeEffect]:
    """What each change does alone in the rules that the network was trained from. `held`: places of held-out annotated
    texts. StateBudgetError."""
    bench = SlotBench(corpus.texts, original.tokenization)
    gold = [example.spans for example in corpus]

    def analysis(rules_text: str, logic_text: str) -> SlotAnalysis:
        return analyse_slots(bench, gold, rules_text, logic_text, original.known_slots)

    before = analysis(original.rules_text, original.logic_text)

    def measured(name: str) -> ChangeEffect:
        accepted = _accept(original, found, (name,))
        now = analysis(accepted.rules_text, accepted.logic_text)
        gain = _f1(now, held) - _f1(before, held) if held else None
        return ChangeEffect(before, now, slot_effect(now, before), gain)

    effects, names = {}, changed_slots(found)
    for number, name in enumerate(names, 1):
        effects[name] = measured(name)
        on_progress(number, len(names))
    return effects


def slot_repairs(
    original: SlotSystem,
    found: SlotReconstruction,
    corpus: Corpus,
    effects: Mapping[str, ChangeEffect],
    on_progress: OnProgress = lambda *_: None,
) -> Repairs:
    """Which changes repair what others break in the rules that the network was trained from. StateBudgetError."""
    gold = [example.spans for example in corpus]
    if not effects:
        return {}
    bench = next(effect.now.bench for effect in effects.values())

    def analyser(places: Sequence[int]) -> Callable[[Rules], SlotAnalysis]:
        part, known = bench.part(places), [gold[place] for place in places]
        return lambda rules: analyse_slots(part, known, *rules, original.known_slots)

    def accepted(*names: str) -> Rules:
        found_rules = _accept(original, found, names)
        return found_rules.rules_text, found_rules.logic_text

    splits = places_by_split([(one.split, one.spans is not None) for one in corpus])
    measures = RepairMeasures(
        alone=lambda name: (accepted(name), (original.rules_text, original.logic_text)),
        both=accepted,
        few=analyser,
        whole=analyser(range(len(corpus))),
        errors=span_errors,
        reads=slot_readings,
        effect=slot_effect,
        gains=lambda before, now: [_f1(now, places) - _f1(before, places) for places in splits],
    )
    return find_repairs(effects, measures, on_progress)


def _value(scores: SpanScores | None) -> float | None:
    return None if scores is None else scores.f1


def _f1(side: SlotAnalysis, places: Sequence[int]) -> float:
    return side.counts_on(places).f1 or 0.0


def slot_material(
    systems: tuple[SlotSystem, SlotSystem],
    found: SlotReconstruction,
    effects: Mapping[str, ChangeEffect],
    texts: Sequence[tuple[str, str | None]],
    held: tuple[str | None, frozenset[int]],
    *,
    learned_from_dev: bool,
    repairs: Repairs = NO_REPAIRS,
) -> ReviewMaterial:
    """`systems` are the rules trained from and the reconstructed ones; `texts` are those of the effects, each with its
    split; `held`: the held-out split and the places of its annotated texts."""
    sides = tuple(dict(system.trees) for system in systems)

    def trees(name: str) -> tuple[Node | None, Node | None]:
        return sides[0].get(name), sides[1].get(name)

    return ReviewMaterial(
        tagging=True,
        measure="F1",
        figures=tuple(
            ReviewFigure(
                one.split,
                one.texts,
                _value(one.original),
                _value(one.network),
                _value(one.reconstructed),
                one.marked,
                one.better,
                one.worse,
            )
            for one in found.scores
        ),
        order=systems[1].rule_names,
        rules=lambda name: ChangedRule(
            name,
            (systems[0].ruleset, systems[1].ruleset),
            learned=True,
            lowercase=systems[1].tokenization.lowercase,
            known_slots=tuple(systems[1].known_slots),
        ),
        trees=trees,
        groups=lambda name: tuple(slots_of([tree for tree in trees(name)[::-1] if tree is not None][:1])),
        effects=effects,
        tokenization=systems[1].tokenization,
        text=lambda _, moved, places: [_text(*texts[place], moved, place) for place in places],
        split=held[0],
        held=held[1],
        on_test=places_of_test(texts, held[1]),
        seen=_seen([text for text, _ in texts], effects, held[1], systems[1].tokenization),
        learned_from_dev=learned_from_dev,
        repairs=repairs,
    )


def _seen(
    texts: Sequence[str], effects: Mapping[str, ChangeEffect], held: Collection[int], tokenization: Tokenization
) -> frozenset[str]:
    """The words of which the texts say enough: those that come often, and annotated ones."""
    gold = next((effect.now.gold for effect in effects.values()), ())
    annotated = annotated_words(zip(texts, gold, strict=False), tokenization)
    return annotated | words_with_evidence(words_of_all(texts, tokenization), held)


def _text(text: str, split: str | None, moved: ChangeEffect, place: int) -> ReviewedText:
    """The text with the spans that came marked in it, and those that went where nothing else is."""
    gold = moved.now.gold[place]
    new, old = moved.now.predictions[place], moved.before.predictions[place]
    came, went = [span for span in new if span not in old], [span for span in old if span not in new]
    return ReviewedText(
        text,
        split or "",
        _in_words(text, went),
        _in_words(text, came),
        None if gold is None else _in_words(text, [span for span in gold if _touches(span, (*came, *went))]),
        _marks(came, went, gold),
    )


def _marks(came: Spans, went: Spans, gold: Spans | None) -> tuple[TextMark, ...]:
    def came_as(span: Span) -> TextMark:
        kind: MarkKind = "new" if gold is None or span in gold else "incorrect"
        return TextMark(span.start, span.end, kind, span.slot)

    removed = (TextMark(span.start, span.end, "gone", span.slot) for span in went if not _touches(span, came))
    return tuple(sorted((*map(came_as, came), *removed), key=lambda mark: mark.start))


def _touches(span: Span, others: Spans) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _in_words(text: str, spans: Spans) -> str:
    return ", ".join(f"{span.slot}: {text[span.start : span.end]}" for span in spans) or NO_SPAN
