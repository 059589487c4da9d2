"""From syntax trees and rule sets back to text that reads as the same trees.

`parse_expression(print_expression(tree)) == tree` for every tree that holds to the invariants of tree.py:
sequences and choices flattened, the options of a choice distinct, no capture or tag inside another, words
without blanks. The text is canonical: one blank around words, `|` and parentheses, none before a repeat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.rules.lexer import print_word
from re2nn_core.rules.names import LABEL, RULE_NAME, numbered_name
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.source import split_lines
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    CaseWord,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Except,
    Lemma,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordList,
    WordPattern,
)
from re2nn_core.rules.word_lists.definition import ListName, list_definition

_SIGNS: dict[type, str] = {
    Any: "$",
    Number: "%",
    Punctuation: "&",
    SentenceStart: "BOS",
    SentenceEnd: "EOS",
    Empty: "( )",
}
_REPEATS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def print_expression(node: Node) -> str:
    """The canonical text of a tree."""
    if isinstance(node, Choice):
        return " | ".join(_group(o) if isinstance(o, ButNot) else print_expression(o) for o in node.options)
    if isinstance(node, Concat):
        return " ".join(_in_a_row(node.parts))
    if isinstance(node, ButNot):
        return f"{_part(node.inner)} but not {_group(node.excluded)}"
    if isinstance(node, Repeat):
        return _repeated(node) + _print_count(node)
    if isinstance(node, Capture):
        return f"[ {print_expression(node.inner)} ]<{node.slot}>"
    if isinstance(node, Tagged):
        return _tagged(node)
    if isinstance(node, Word):
        return print_word(node.text)
    if isinstance(node, WordPattern | Lemma | CaseWord):
        return node.text
    if isinstance(node, ClassReference):
        return f"@{node.name}@"
    if isinstance(node, WordList):
        return str(ListName(node.path, node.column))
    if isinstance(node, Except):
        return f"[^ {' '.join(map(print_expression, node.members))} ]"
    return _SIGNS[type(node)]


def _part(node: Node) -> str:
    """A node as part of a sequence."""
    return _group(node) if isinstance(node, Choice | ButNot) else print_expression(node)


def _in_a_row(parts: Sequence[Node]) -> list[str]:
    """The parts of a sequence; the word `but` in quotes where it would be read as the beginning of `but not (`, or
    with a warning that it is not."""
    texts = [_part(part) for part in parts]
    for place in range(len(texts) - 1):
        if texts[place] == "but" and texts[place + 1] == "not":
            texts[place] = '"but"'
    return texts


def _group(node: Node) -> str:
    return f"( {print_expression(node)} )"


def _repeated(repeat: Repeat) -> str:
    """What is repeated; a full stop is quoted, as `.*` reads like a part of a character regex, and a word stands in
    parentheses before `*`, as `book*` reads like all words that begin with it."""
    node = repeat.inner
    if isinstance(node, Choice | Concat | Repeat):
        return _group(node)
    text = print_expression(node)
    if isinstance(node, Word) and text.endswith("."):
        return f'"{text}"'
    star = isinstance(node, Word) and len(text) > 2 and text.isalpha() and (repeat.least, repeat.most) == (0, None)
    return _group(node) if star else text


def _print_count(node: Repeat) -> str:
    sign = _REPEATS.get((node.least, node.most))
    if sign:
        return sign
    if node.most is None:
        return f"{{{node.least},}}"
    return f"{{{node.least}}}" if node.least == node.most else f"{{{node.least},{node.most}}}"


def _tagged(node: Tagged) -> str:
    if isinstance(node.inner, ClassReference):
        return f"@{node.inner.name}<:>{node.tag}@"
    grouped = isinstance(node.inner, Choice | Concat | Repeat)
    return f"{_group(node.inner) if grouped else print_expression(node.inner)}<:>{node.tag}"


def write_rules(ruleset: RuleSet) -> str:
    """A rule file from which `read_rules` makes the same rule set, line numbers apart.

    Names stand only where they differ from the automatic ones. ValueError for a name or label that no
    rule file can hold.
    """
    lines: list[str] = []
    label: str | None = None
    numbers: Counter[str] = Counter()
    for entry in ruleset.entries:
        if not isinstance(entry, Rule):
            lines.append(class_definition(entry.name, entry.tree, entry.note))
            continue
        if entry.label != label:
            label = entry.label
            lines.extend(([""] if lines else []) + [_header(label)])
        numbers[label] += 1
        lines.append(_rule_line(entry, numbers[label]))
    return "\n".join(lines) + "\n"


def class_definition(name: str, tree: Node, note: str = "") -> str:
    """The line that defines a class; a list has its content behind its note."""
    if not isinstance(tree, WordList):
        return f"@{name}@=( {print_expression(tree)} )" + _note(note)
    written, _, kept = list_definition(tree).partition(" //= ")
    return f"@{name}@ = {written}{_note(note)} //= {kept}"


def _header(label: str) -> str:
    if not LABEL.fullmatch(label):
        raise ValueError(f"no rule file can hold the label {label!r}")
    return f"[{label}]"


def _rule_line(rule: Rule, number: int) -> str:
    if not RULE_NAME.fullmatch(rule.name):
        raise ValueError(f"no rule file can hold the rule name {rule.name!r}")
    name = "" if rule.name == numbered_name(rule.label, number) else f"{rule.name} := "
    return f"{name}{print_expression(rule.tree)}" + _note(rule.note)


def _note(text: str) -> str:
    note = " ".join(split_lines(text)).strip()
    return f" // {note}" if note else ""


def without_lines(ruleset: RuleSet) -> RuleSet:
    """The rule set with every line number 0: what two files must agree in to say the same."""
    return RuleSet(tuple(replace(entry, line=0) for entry in ruleset.entries))
