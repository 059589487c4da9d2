"""Rules as values, as services give them to pages, with what turns them into text and back."""

from re2nn_core.rules.logic.decisions import decide_labels
from re2nn_core.rules.logic.unused_rules import CHANGES_NOTHING
from re2nn_core.rules.marked_text import write_marked
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.sentences import (
    KINDS,
    Kind,
    RuleSentences,
    moved_to,
    read_sentences,
    sentences_of,
    with_sentence,
    without_rule,
    without_sentence,
    write_sentences,
)
from re2nn_core.rules.source import split_lines
from re2nn_core.rules.tagging import slot_of, slots_of
from re2nn_core.rules.tree import Node, named_words

__all__ = [
    "CHANGES_NOTHING",
    "KINDS",
    "Kind",
    "Node",
    "Rule",
    "RuleSentences",
    "RuleSet",
    "WordClass",
    "classes_for",
    "decide_labels",
    "moved_to",
    "named_words",
    "print_expression",
    "read_rules",
    "read_sentences",
    "sentences_of",
    "slot_of",
    "slots_of",
    "split_lines",
    "with_sentence",
    "without_rule",
    "without_sentence",
    "write_marked",
    "write_sentences",
]
