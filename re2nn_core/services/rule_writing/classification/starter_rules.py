"""First rules for a new project: those that would be proposed for its texts, something to change, not a blank page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from re2nn_core.proposals.label_order import LabelOrder
from re2nn_core.rules.names import LABEL
from re2nn_core.rules.rule_comments import SUGGESTED
from re2nn_core.rules.rule_lines import wrapped
from re2nn_core.services.rule_writing.classification.grown_rules import grown_rules
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import material_of, with_guesses
from re2nn_core.services.rule_writing.classification.proposals import NewRule
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

MOST_RULES = 2  # of a label: a project begins with rules that can be read at a glance

HEAD = """\
// A rule matches the WHOLE text, so most begin and end with $* (any words, or none).
//     $  any one word      %  a number      &  a punctuation sign      *  +  ?  {1,3}  how often
//     ( a | b )  either    BOS  EOS  the two ends of the text           @name@=( ... )  a word class
"""


def starter_rules(corpus: Corpus, tokenization: Tokenization, *, suggest: bool = True) -> str:
    """Rules text with a section for each label that can have one.

    Without `suggest`, or where nothing is proposed, there are only comments and one rule to write over, which no text
    meets: for the first label, so that nobody is offered a label that the texts do not have.

    Texts of the splits dev and test are not looked at, so that they can still evaluate the rules.
    """
    labels = [label for label in corpus.labels if LABEL.fullmatch(label)]
    found = _proposed(corpus, tokenization) if suggest else {}
    if not found:
        first, *labels = labels or ["my_label"]
        head = f"{HEAD}\n[{first}]\n$* ( yourword | anotherword ) $*     // use words of your texts\n"
    else:
        head = HEAD
    return head + "".join(_section(label, found.get(label, []), suggest) for label in labels)


def _section(label: str, found: Sequence[NewRule], suggest: bool) -> str:
    if not found:
        why = "     // no word or phrase distinguishes these texts" if suggest else ""
        return f"\n// [{label}]\n// $* ... $*{why}\n"
    rules = [line for rule in found for line in wrapped(f"{rule.name} := {rule.expression}")]
    return "\n".join(["", f"[{label}]", f"// {SUGGESTED}", *rules, ""])


def _proposed(corpus: Corpus, tokenization: Tokenization) -> dict[str, list[NewRule]]:
    """The rules of each label, that which gains most first."""
    gold, splits = [example.label for example in corpus], [example.split for example in corpus]
    bench = TextBench([example.text for example in corpus], tokenization)
    material = with_guesses(material_of(gold, splits), bench.sentences, gold, splits)
    if len(set(corpus.labels)) < 2 or not len(material.gold):  # nothing to tell a single label apart from
        return {}
    order = LabelOrder(material.labels)
    nothing = np.zeros((len(gold), len(order.labels)), dtype=np.bool_)
    found: dict[str, list[NewRule]] = defaultdict(list)
    for rule in grown_rules(bench, material, order, nothing, set(), default=False)[0]:
        if len(found[rule.label]) < MOST_RULES:
            found[rule.label].append(rule)
    return found
