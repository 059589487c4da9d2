"""First rules for a new project with slots, from what fills them in its texts: something to change, not a blank page.

They are the rules that would be proposed one after the other, from no rule at all (proposals.py).
"""

from __future__ import annotations

from collections.abc import Container

from re2nn_core.rules.leaves import SLOT
from re2nn_core.rules.rule_comments import SUGGESTED
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of, with_guessed_spans
from re2nn_core.services.rule_writing.slot_filling.proposals import grow_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

MOST_RULES = 40
MOST_WORDS = 100  # in each rule, so that a network of all of them is quick to train

HEAD = """\
// A rule matches the WHOLE text, so most begin and end with $* (any words, or none).
// [ words ]<slot>   makes the words it matches a span of the slot; everything around the brackets is only context.
//     $  any one word      %  a number      &  a punctuation sign      *  +  ?  {1,3}  how often
//     ( a | b )  either    BOS  EOS  the two ends of the text           @name@=( ... )  a word class
"""
TO_WRITE_OVER = """
// {why}
@my_words@=( yourword | anotherword )
my_rule := $* [ @my_words@ ]<{slot}> $*
"""


def slot_starter_rules(corpus: Corpus, tokenization: Tokenization, *, suggest: bool = True) -> str:
    """Rules text with rules for the slots of the texts, that which gives most spans first.

    Texts of the splits dev and test are not looked at, so that they can still judge the rules.
    """
    nothing = HEAD + _to_write_over(corpus)
    proposals = _proposals(corpus, tokenization, nothing) if suggest else ()
    if not suggest or not any(example.spans for example in corpus if example.split in (None, "train")):
        return nothing
    rest = [slot for slot in _slots_of(corpus) if slot not in {one.slot for one in proposals}]
    sections, defined = [], set[str]()
    for proposal in proposals:
        sections.append(_section(proposal, defined))
        defined |= proposal.classes.keys()
    sections += map(_without_rule, rest)
    # A rule system without any rule that gives a span could not be read.
    return HEAD + "".join(sections) + ("" if proposals else _to_write_over(corpus))


def _proposals(corpus: Corpus, tokenization: Tokenization, nothing: str) -> tuple[SlotProposal, ...]:
    examples = [example for example in corpus if example.split in (None, "train")]
    if not any(example.spans for example in examples):
        return ()
    gold = [example.spans for example in examples]
    bench = SlotBench([example.text for example in examples], tokenization)
    now = analyse_slots(bench, gold, nothing, "")
    splits = [example.split for example in examples]
    material = with_guessed_spans(slot_material_of(gold, splits), now, splits)
    return tuple(grow_for_slots(now, material, most=MOST_RULES, most_words=MOST_WORDS))


def _slots_of(corpus: Corpus) -> tuple[str, ...]:
    spans = (span for example in corpus if example.split in (None, "train") for span in example.spans or ())
    return tuple(dict.fromkeys(span.slot for span in spans))


def _section(proposal: SlotProposal, defined: Container[str]) -> str:
    head = f"\n// {proposal.slot}: {SUGGESTED}\n"
    return head + "\n".join(proposal.lines_without(defined)) + "\n"


def _without_rule(slot: str) -> str:
    if not SLOT.fullmatch(slot):
        return f"\n// {_in_comment(slot)}: a rule cannot name this slot, as its name has other signs than . _ - / : '\n"
    return f"\n// {slot}\n// $* [ ... ]<{slot}> $*     // nothing fills this slot again and again\n"


def _to_write_over(corpus: Corpus) -> str:
    """A rule that no text meets, for the first slot, so that nobody is offered a slot that the texts do not have."""
    slot = next((name for name in corpus.slots if SLOT.fullmatch(name)), "my_slot")
    why = "Use words of your texts:"
    if not corpus.slots:
        why = "No text is annotated yet. Name your own slots, and use words of your texts:"
    return TO_WRITE_OVER.format(why=why, slot=slot)


def _in_comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
