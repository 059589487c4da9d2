"""New rules for spans that the reconstructed rules still miss: those that are proposed for the annotated texts, and for
what the tagger gives unannotated ones.

Rules are made one after the other, each for what is missed with those before it, and evaluated out-of-fold
(proposals/slot_filling/span_search.py); a span that the tagger gives counts half. A rule is taken where dev loses
nothing. Together they name no more words than are given: of the values of a rule the most frequent ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.reconstruction.slot_filling.report import LearnedRule
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_comments import PROPOSED_FOR_SPANS
from re2nn_core.rules.tree import Except, walk
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench, Spans
from re2nn_core.services.rule_writing.slot_filling.material import (
    HELD_OUT,
    GuessedSpans,
    SlotMaterial,
    in_words,
    slot_material_of,
)
from re2nn_core.services.rule_writing.slot_filling.proposals import grow_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slot_system, analyse_slots
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.text.corpus import Corpus

LEAST_GAIN = 3  # spans that a rule must gain of those that it was not made from
MOST = 40  # rules
MOST_WORDS = 400  # that all of them name and the rules before do not
MOST_WORDS_EACH = 100  # of a rule
MOST_PREDICTED = 6_000  # unannotated texts of which the tagger's spans count


@one_blas_thread()
def with_proposed_slot_rules(
    corpus: Corpus,
    system: SlotSystem,
    predicted: Sequence[Spans | None] | None = None,
    *,
    most_words: int = MOST_WORDS,
    on_progress: OnProgress = lambda *_: None,
    stop: Stop | None = None,
) -> tuple[str, tuple[LearnedRule, ...]]:
    """The rules of a system with further rules by which F1 of the dev texts does not fall, and these. `predicted`: the
    spans that the tagger gives each text. Contexts of any word but some are not taken, and the rules that are there
    stay as they are. Test texts take no part. Once `stop` is asked to, no more are added."""
    stop = stop or Stop()
    gold, splits = [one.spans for one in corpus], [one.split for one in corpus]
    now = analyse_slot_system(SlotBench(corpus.texts, system.tokenization), gold, system)
    material = slot_material_of(gold, splits)
    if not any(gold[place] for place in material.places):
        return system.rules_text, ()
    if predicted is not None:
        material = _with_predicted(material, now.bench, predicted, [*zip(gold, splits, strict=True)])
    found = grow_for_slots(now, material, most=MOST, most_words=MOST_WORDS_EACH, in_own_rules=True, stop=stop)
    on_progress(1, 2)
    readable = [one for one in found if _is_readable(one) and one.gain >= LEAST_GAIN]
    kept = _kept(corpus, system, readable, most_words, stop)
    if not kept:
        return system.rules_text, ()
    rules = tuple(LearnedRule(one.name, one.slot, one.expression, one.gain) for one in kept)
    return with_slot_proposals(f"{system.rules_text.rstrip()}\n\n{PROPOSED_FOR_SPANS}", kept), rules


def _with_predicted(
    material: SlotMaterial,
    bench: SlotBench,
    predicted: Sequence[Spans | None],
    known: Sequence[tuple[Spans | None, str | None]],
) -> SlotMaterial:
    """The material with the tagger's spans of unannotated texts; `known`: the spans and the split of each text."""
    others = [place for place, (spans, split) in enumerate(known) if spans is None and split not in HELD_OUT]
    others = [place for place in others if predicted[place] is not None][:MOST_PREDICTED]
    spans = tuple(in_words(bench, place, predicted[place] or ()) for place in others)
    return replace(material, guessed=GuessedSpans(tuple(others), spans))


def _is_readable(proposal: SlotProposal) -> bool:
    """Whether it is a rule that names what it reads: no hundreds of words that it does not read, of which a card that
    lists the words of a rule gives a wrong idea."""
    return not any(isinstance(part, Except) for part in walk(proposal.tree))


def _kept(
    corpus: Corpus, system: SlotSystem, proposals: Sequence[SlotProposal], most_words: int, stop: Stop
) -> list[SlotProposal]:
    """The proposals, in their order, that name no word too many, and by which F1 of the dev texts does not fall."""
    dev = [one for one in corpus if one.split == "dev" and one.spans is not None]
    bench, gold = SlotBench([one.text for one in dev], system.tokenization), [one.spans for one in dev]

    def reached(rules_text: str) -> tuple[float, int]:
        """F1, and fewer wrong spans, which decide where dev has no span."""
        found = analyse_slots(bench, gold, rules_text, system.logic_text, system.known_slots).predictions
        counts = count_spans(gold, found)
        return counts.f1 or 0.0, counts.right - counts.given

    before = read_rules(system.rules_text).ruleset.words
    kept: list[SlotProposal] = []
    best = reached(system.rules_text) if dev else (0.0, 0)
    for proposal in takewhile(lambda _: not stop.asked(), proposals):
        rules_text = with_slot_proposals(system.rules_text, [*kept, proposal])
        if len(read_rules(rules_text).ruleset.words - before) > most_words:
            continue
        now = reached(rules_text) if dev else best
        if now >= best:
            kept, best = [*kept, proposal], now
    return kept
