"""The output of every word that a rule reads: tags and captures as tags on the leaves of its tree.

    $* from [ $ $? ]<city> $*      gives      $<:>OO* from<:>OO $<:>B-city $<:>I-city? $<:>OO*

An output is a tag of the BIO scheme (`B-city`, `I-city`, `O`) or WILDCARD, by which a rule says nothing about a word
(Jiang et al., EMNLP 2021, section 3.1). The paper puts tags on the edges of the automaton made of a capture, behind a
start state that nothing leads back to (appendix A, algorithm 5). Here the expression itself is rewritten, so that all
that is made from trees can be made from tagged ones: the words of a capture, the first of them set apart.

    written                    output of the words it reads
    [ e ]<x>                   B-x for the first, I-x for the others; nothing is tagged where nothing is read
    w<:>x    @c<:>x@           the same
    w<:>B-x  @c<:>I-x@  w<:>O  as written, for all words
    $  [^ a b ]                WILDCARD
    any other word, %, &       O in a rule with tags alone, as published; WILDCARD in any other rule
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import RuleSet
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
    ReadsOne,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    choice,
    concat,
    rebuild,
    walk,
)
from re2nn_core.text.spans import OUTSIDE

WILDCARD = "OO"

_PREFIXED = re.compile(r"([BIbi])-(.+)", re.DOTALL)


def tagged(tree: Node) -> Node:
    """An expanded tree with a tag around every leaf that reads a word, BOS and EOS bare, and no capture."""
    kinds = {type(node) for node in walk(tree)}
    named = OUTSIDE if Tagged in kinds and Capture not in kinds else WILDCARD
    return _outside(tree, named)


def print_tagged(tree: Node) -> str:
    """A tagged tree as the published `.parsed` files hold it: BOS and EOS carry the tag O there."""
    anchored = rebuild(tree, lambda leaf: Tagged(leaf, OUTSIDE) if _is_anchor(leaf) else leaf)
    if isinstance(anchored, ButNot) and isinstance(tree, ButNot):
        anchored = replace(anchored, excluded=tree.excluded)
    return print_expression(anchored)


def slot_of(tag: str) -> str | None:
    """The slot that a tag names; None for O and the wildcard."""
    if tag in (OUTSIDE, WILDCARD):
        return None
    match = _PREFIXED.fullmatch(tag)
    return match[2] if match else tag


def tags_of_tree(tree: Node) -> tuple[str, ...]:
    """The outputs of a tagged tree in the order of their first appearance, without the wildcard."""
    found = dict.fromkeys(node.tag for node in walk(tree) if isinstance(node, Tagged))
    return tuple(tag for tag in found if tag != WILDCARD)


def slots_of(rules: RuleSet | Sequence[Node]) -> tuple[str, ...]:
    """The slots of a rule set, or of trees, in the order of their first appearance."""
    trees = [rule.expanded for rule in rules.rules] if isinstance(rules, RuleSet) else rules
    found: dict[str, None] = {}
    for tree in trees:
        for node in walk(tree):
            slot = node.slot if isinstance(node, Capture) else slot_of(node.tag) if isinstance(node, Tagged) else None
            if slot is not None:
                found[slot] = None
    return tuple(found)


def may_have_slots(text: str) -> bool:
    """False for the text of a rule that neither captures nor tags a word; its tree need not be walked through then."""
    return "[" in text or "<:>" in text


def has_slots(tree: Node) -> bool:
    """True for a tree that captures or tags a word."""
    return any(isinstance(node, Capture | Tagged) for node in walk(tree))


def with_slot_case(tree: Node, known: Sequence[str]) -> Node:
    """The tree with its slots as they are spelt among the `known` ones, whatever the case of their letters.

    A slot that is known as it is, or not known at all, stays; of two known ones that differ in case alone, the first
    is taken. The B and I of a tag are put in capitals anyway. The tree may be tagged or as it was written.
    """
    spelling, as_they_are = {slot.casefold(): slot for slot in reversed(known)}, frozenset(known)

    def slot_case(slot: str) -> str:
        return slot if slot in as_they_are else spelling.get(slot.casefold(), slot)

    def tag_case(tag: str) -> str:
        match = _PREFIXED.fullmatch(tag)
        if match:
            return f"{match[1].upper()}-{slot_case(match[2])}"
        return tag if slot_of(tag) is None else slot_case(tag)

    def named(node: Node) -> Node | None:
        if isinstance(node, Capture):
            return replace(node, slot=slot_case(node.slot))
        return replace(node, tag=tag_case(node.tag)) if isinstance(node, Tagged) else None

    return _replaced(tree, named)


def with_slot_alone(tree: Node, slot: str) -> Node:
    """A tagged tree that says nothing but which words fill one slot."""

    def silent(node: Node) -> Node | None:
        if isinstance(node, Tagged):
            return node if slot_of(node.tag) == slot else replace(node, tag=WILDCARD)
        return None

    return _replaced(tree, silent)


def without_slots(tree: Node) -> Node:
    """The tree as one that matches words alone: without its captures and tags."""

    def inside(node: Node) -> Node | None:
        return without_slots(node.inner) if isinstance(node, Capture | Tagged) else None

    return _replaced(tree, inside)


def _outside(tree: Node, named: str) -> Node:
    """The tree with its captures and tags put on the leaves; `named` is the tag of words that are named."""

    def mark(node: Node) -> Node | None:
        if isinstance(node, Capture):
            return _begun(node.inner, node.slot)
        if isinstance(node, Tagged):
            return _tagged(node)
        if isinstance(node, Any | Except):
            return Tagged(node, WILDCARD)
        return Tagged(node, named) if _reads_a_word(node) else None

    return _replaced(tree, mark)


def _replaced(node: Node, replacement: Callable[[Node], Node | None]) -> Node:
    """The tree with each node for which there is a replacement replaced, topmost nodes first."""
    replaced = replacement(node)
    if replaced is not None:
        return replaced
    if isinstance(node, Concat):
        return concat([_replaced(part, replacement) for part in node.parts])
    if isinstance(node, Choice):
        return choice([_replaced(option, replacement) for option in node.options])
    if isinstance(node, Repeat | ButNot):  # what is left out has no outputs
        return replace(node, inner=_replaced(node.inner, replacement))
    return node


def _reads_a_word(node: Node) -> bool:
    if isinstance(node, ClassReference | Lemma | CaseWord):
        raise ValueError(f"{print_expression(node)} is not put in; tag Rule.expanded")
    return isinstance(node, ReadsOne)


def _is_anchor(node: Node) -> bool:
    return isinstance(node, SentenceStart | SentenceEnd)


def _tagged(node: Tagged) -> Node:
    """`w<:>B-x` and `@class<:>O@` as written, `w<:>x` and `@class<:>x@` like a capture."""
    match = _PREFIXED.fullmatch(node.tag)
    if match:
        return _all(node.inner, f"{match[1].upper()}-{match[2]}")
    return _all(node.inner, node.tag) if slot_of(node.tag) is None else _begun(node.inner, node.tag)


def _all(tree: Node, tag: str) -> Node:
    """The tree with every word tagged alike."""
    return rebuild(tree, lambda leaf: Tagged(leaf, tag) if _reads_a_word(leaf) else leaf)


def _begun(tree: Node, slot: str) -> Node:
    """The tree with the first word it reads tagged B, the others I."""
    with_words, wordless = _with_words(tree, slot), _wordless(tree)
    if with_words is None or wordless is None:
        return with_words or wordless or Empty()
    # What reads no word may have BOS or EOS in it, which have to stay.
    return choice([with_words, wordless]) if _has_anchor(wordless) else Repeat(with_words, 0, 1)


def _with_words(node: Node, slot: str) -> Node | None:
    """What the tree reads with at least one word in it, the first one tagged B; None where it never reads one."""
    if isinstance(node, Choice):
        options = [option for part in node.options if (option := _with_words(part, slot)) is not None]
        return choice(options) if options else None
    if isinstance(node, Concat):
        return _sequence_with_words(node.parts, slot)
    if isinstance(node, Repeat):
        return _repeat_with_words(node, slot)
    return Tagged(node, f"B-{slot}") if _reads_a_word(node) else None


def _sequence_with_words(parts: Sequence[Node], slot: str) -> Node | None:
    """The first word is in the first half, or the first half reads none and it is in the second.

    Halves, so that a long row of optional parts is not copied once for each of them; parts that follow one which
    always reads a word are copied once.
    """
    if len(parts) == 1:
        return _with_words(parts[0], slot)
    optional = next((place for place, part in enumerate(parts) if _wordless(part) is None), len(parts))
    cut = max(1, min(optional, len(parts) - 1) // 2)
    left, right = parts[:cut], parts[cut:]
    ways: list[Node] = []
    if (begun := _sequence_with_words(left, slot)) is not None:
        ways.append(concat([begun, *(_all(part, f"I-{slot}") for part in right)]))
    skipped = _wordless(concat(list(left)))
    if skipped is not None and (begun := _sequence_with_words(right, slot)) is not None:
        ways.append(concat([skipped, begun] if _has_anchor(skipped) else [begun]))
    return choice(ways) if ways else None


def _repeat_with_words(node: Repeat, slot: str) -> Node | None:
    """One time that reads the first word, and the times behind it; before it, at most one that reads BOS alone.

    A time that reads nothing at all can be left out, since every later one can read nothing just as well; and times
    that are still owed can all read BOS, which is once at the start however often it is written.
    """
    begun = _with_words(node.inner, slot)
    if begun is None or node.most == 0:
        return None
    ways = [concat([begun, *_further(node, 1, slot)])]
    wordless = _wordless(node.inner)
    if wordless is not None and _has_anchor(wordless) and node.most != 1:
        ways.append(concat([wordless, begun, *_further(replace(node, least=0), 2, slot)]))
    return choice(ways)


def _further(node: Repeat, done: int, slot: str) -> list[Node]:
    """The repeat without the times that are done, its words tagged I; nothing where no time is left."""
    least, most = max(node.least - done, 0), None if node.most is None else node.most - done
    if most == 0:
        return []
    inner = _all(node.inner, f"I-{slot}")
    return [inner if least == most == 1 else Repeat(inner, least, most)]


def _wordless(node: Node) -> Node | None:
    """What the tree reads without any word: BOS, EOS, nothing; None where it always reads a word."""
    if isinstance(node, Choice):
        options = [option for part in node.options if (option := _wordless(part)) is not None]
        return choice(options) if options else None
    if isinstance(node, Concat):
        parts = [_wordless(part) for part in node.parts]
        read = [part for part in parts if part is not None]
        return concat([part for part in read if _has_anchor(part)]) if len(read) == len(parts) else None
    if isinstance(node, Repeat):
        inner = _wordless(node.inner)
        if node.most == 0 or (inner is None and node.least == 0):
            return Empty()
        if inner is None:
            return None
        return Repeat(inner, node.least, node.most) if _has_anchor(inner) else Empty()
    return None if _reads_a_word(node) else node


def _has_anchor(node: Node) -> bool:
    return any(_is_anchor(part) for part in walk(node))
