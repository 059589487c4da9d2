"""What proposed rules for slots do when they run, each with the rules of the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from re2nn_core.automata.output_sets import RuleTags, tag_sets_of_rule
from re2nn_core.automata.word_codes import NumberedSentences, numbered
from re2nn_core.rules.logic.priorities import ordered_tags
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import Located, SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis


@dataclass(frozen=True, eq=False)
class _Texts:
    """The annotated texts: their places among all, and their words."""

    places: Sequence[int]
    words: NumberedSentences


def with_effects(proposals: Sequence[SlotProposal], analysis: SlotAnalysis) -> tuple[SlotProposal, ...]:
    """The proposals with what the rule of each does when it runs with the rules of the project."""
    if not proposals:
        return ()
    count = len(analysis.system.trees)
    annotated = [text for text, gold in enumerate(analysis.gold) if gold is not None]
    texts = _Texts(annotated, numbered([analysis.bench.sentences[text] for text in annotated]))
    added = _system_with([one for one in proposals if one.extends is None], analysis)
    found = []
    place = count
    for proposal in proposals:
        if proposal.extends is not None:
            rule = analysis.rule_index[proposal.name]
            found.append(_with_effect(proposal, rule, _system_with([proposal], analysis), analysis, texts))
            continue
        found.append(_with_effect(proposal, place, added, analysis, texts))
        place += 1
    return tuple(found)


def _system_with(proposals: Sequence[SlotProposal], analysis: SlotAnalysis) -> SlotSystem:
    old = analysis.system
    rules_text = with_slot_proposals(old.rules_text, proposals)
    return read_slot_system(rules_text, old.logic_text, old.tokenization, known_slots=old.known_slots)[0]


def _with_effect(
    proposal: SlotProposal, rule: int, system: SlotSystem, analysis: SlotAnalysis, texts: _Texts
) -> SlotProposal:
    """The proposal with the spans that it fixes and breaks; `rule`: its place in the system."""
    bench = analysis.bench
    name, tree = system.trees[rule]
    decider = TagDecider(ordered_tags([tags_of_tree(tree)]), system.logic, lambda: [tree])
    fixed: list[Located] = []
    broken: list[Located] = []
    correct = matches = 0
    for text, sets in (
        (texts.places[place], sets) for place, sets in tag_sets_of_rule(tree, texts.words, name).items()
    ):
        gold, was, words = analysis.gold[text] or (), analysis.predictions[text], bench.sentences[text]
        others = [own for own in analysis.accepting.get(text, ()) if own.rule != rule]
        alone = bench.spans_of(text, decider.decide(words, [RuleTags(0, sets)]))
        now = bench.spans_of(text, system.decide(words, [*others, RuleTags(rule, sets)])) if others else alone
        matches += len(alone)
        correct += sum(span in gold for span in alone)
        fixed += [(text, span) for span in now if span in gold and span not in was]
        broken += [(text, span) for span in was if span in gold and span not in now]
        # An incorrect span in place of an incorrect one breaks nothing.
        removed = sum(span not in gold and span not in now for span in was)
        broken += [(text, span) for span in now if span not in gold and span not in was][removed:]
    return replace(proposal, fixed=tuple(fixed), broken=tuple(broken), correct=correct, matches=matches)
