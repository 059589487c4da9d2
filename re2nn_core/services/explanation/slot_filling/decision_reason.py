"""Who speaks instead, for slots, and what decides where several tags of a word have equally many votes."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.services.explanation.classification.decision_reason import named_in_sentence
from re2nn_core.services.explanation.slot_filling.explanation import tagged_spans_in_words
from re2nn_core.services.explanation.why_not import Winner
from re2nn_core.services.rule_systems.slot_filling.decided_tags import votes_left
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out
from re2nn_core.text.spans import OUTSIDE, token_spans

Claims = Sequence[frozenset[str]]  # of each rule that matches, the tags that it claims for one word


def slot_winner(words: Sequence[str], tags: Sequence[str], claims: Sequence[Claims], names: Sequence[str]) -> Winner:
    """What the rules give the words instead. `claims`: for each word those of each rule that matches, in the order of
    `names`."""
    span_texts, matching = [], []
    for span in token_spans(tags):
        own = tags[span.start]
        rules = [name for name, claimed in zip(names, claims[span.start], strict=True) if own in claimed]
        matching += rules
        span_texts.append(f"{span.slot}: {spelled_out(words[span.start : span.end])} (by {named_in_sentence(rules)})")
    rules_in_words = (
        f"The rules give {'; '.join(span_texts)}." if span_texts else "The rules give no span: every word is O."
    )
    return Winner(tagged_spans_in_words(words, tags), tuple(dict.fromkeys(matching)), not span_texts, rules_in_words)


def slot_ties(system: SlotSystem, words: Sequence[str], tags: Sequence[str], claims: Sequence[Claims]) -> list[str]:
    """Words for which several tags have equally many votes behind all priorities, and what decides; neighbours with
    the same tie are reported together."""
    reported: list[tuple[list[str], tuple[str, ...], str, int]] = []
    before: tuple[str, ...] = ()
    for word, tag, claimed in zip(words, tags, claims, strict=True):
        votes = votes_left(claimed, system.silent)
        most = max(votes.values(), default=0)
        same = tuple(
            dict.fromkeys(slot_of(t) or OUTSIDE for t in system.tags if votes.get(t) == most and t != WILDCARD)
        )
        if len(same) > 1:
            if same == before:
                reported[-1][0].append(word)
            else:
                reported.append(([word], same, slot_of(tag) or OUTSIDE, most))
        before = same if len(same) > 1 else ()
    return [
        f"“{spelled_out(tied)}”: {named_in_sentence(same)} have {counted(most, 'vote')} each; {winner} is predicted, "
        + ("because O comes first with equal votes." if winner == OUTSIDE else "because the rules name it first.")
        for tied, same, winner, most in reported
    ]
