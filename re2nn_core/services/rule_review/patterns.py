"""The patterns of a new rule: the alternatives of which it is a union, each of which can be judged and dropped alone.

Of `$* ( hi $* "?" | i $* ( and | but ) ) $*` they are `hi … ?`, `i … and` and `i … but`. Alternatives in several
places of one sequence depend on each other and stay one pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from re2nn_core.errors import InputError
from re2nn_core.proposals.word_shapes import title_of
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
    choice,
    concat,
)
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import Tokenization

_NAMED = 3  # words of a class
_GAP = "…"
_KINDS = {
    Number: "a number",
    Punctuation: "a sign",
    SentenceStart: "start of the text:",
    SentenceEnd: "end of the text",
    Any: "any word",
}


@dataclass(frozen=True)
class Pattern:
    """One alternative of a rule. `tree` is the whole rule with this one alone, classes put in; `text`, which names it,
    is that as it is written; `shown` is for people: `“hi … ?”`."""

    text: str
    shown: str
    tree: Node

    @property
    def runs(self) -> tuple[tuple[str, ...], ...]:
        """The words on each side of its gaps, where other words may stand; of alternatives the first ones. Empty for a
        pattern without a gap, and for one of which the words are not known."""
        parts = self.tree.parts if isinstance(self.tree, Concat) else (self.tree,)
        runs: list[list[str]] = [[]]
        for part in parts:
            words = [_GAP] if _is_gap(part) else _first_words(part)
            if words is None:
                return ()
            if words == [_GAP]:
                runs.append([])
            else:
                runs[-1] += words
        found = tuple(tuple(run) for run in runs if run)
        return found if len(found) > 1 else ()


def patterns_of(tree: Node, classes: Mapping[str, Node], tokenization: Tokenization) -> tuple[Pattern, ...]:
    """Those of a rule, in its order; `classes` are in force where it stands. A rule without alternatives has one."""
    alone = (expand(one, dict(classes), tokenization.lowercase) for one in _alternatives(tree, classes))
    signs = tokenization.splits_signs
    found = (Pattern(print_expression(one), in_words(one, splits_signs=signs), one) for one in alone)
    return tuple({pattern.text: pattern for pattern in found}.values())


def without_pattern(tree: Node, text: str, classes: Mapping[str, Node], *, lowercase: bool) -> Node | None:
    """The tree without the pattern of this text; None where nothing is left of it. InputError where it has none."""
    for number, one in enumerate(_alternatives(tree, classes)):
        if print_expression(expand(one, dict(classes), lowercase)) == text:
            return _without(tree, number, classes)
    raise InputError("The rule has no such pattern any more, so nothing can be dropped. Load the page again.")


def _alternatives(node: Node, classes: Mapping[str, Node]) -> list[Node]:
    if isinstance(node, Choice):
        return [one for option in node.options for one in _alternatives(option, classes)]
    if isinstance(node, ClassReference) and isinstance(members := classes.get(node.name), Choice):
        return list(members.options)
    if isinstance(node, Concat):
        parts = [_alternatives(part, classes) for part in node.parts]
        place = _only_branching(parts)
        if place is not None:
            before, after = node.parts[:place], node.parts[place + 1 :]
            return [concat([*before, one, *after]) for one in parts[place]]
    return [node]


def _only_branching(parts: Sequence[Sequence[Node]]) -> int | None:
    """The place of the only part with alternatives."""
    found = [place for place, own in enumerate(parts) if len(own) > 1]
    return found[0] if len(found) == 1 else None


def _without(node: Node, number: int, classes: Mapping[str, Node]) -> Node | None:
    """A tree without the alternative of this number among `_alternatives`."""
    if isinstance(node, Choice):
        left: list[Node] = []
        for option in node.options:
            count = len(_alternatives(option, classes))
            kept = _without(option, number, classes) if 0 <= number < count else option
            number -= count
            left += [] if kept is None else [kept]
        return choice(left) if left else None
    if isinstance(node, ClassReference) and isinstance(members := classes.get(node.name), Choice):
        return choice([one for place, one in enumerate(members.options) if place != number])
    if isinstance(node, Concat):
        place = _only_branching([_alternatives(part, classes) for part in node.parts])
        if place is not None and (part := _without(node.parts[place], number, classes)) is not None:
            return concat([*node.parts[:place], part, *node.parts[place + 1 :]])
    return None


def in_words(tree: Node, *, splits_signs: bool = True) -> str:
    """A pattern as it is read: `“hi … ?”`, `web and mail addresses`; words are in quotes, and gaps stand between parts
    alone."""
    parts = list(_parts(tree, splits_signs))
    runs = [(is_word, [text for text, _ in run]) for is_word, run in groupby(parts, key=lambda part: part[1])]
    shown = (_quoted(texts) if is_word else " ".join(texts) for is_word, texts in runs)
    return " ".join(filter(None, shown)) or "any text"


def _quoted(words: Sequence[str]) -> str:
    shown = " ".join(words).strip(f" {_GAP}")
    return f"“{shown}”" if shown else ""


Part = tuple[str, bool]  # a text, and whether it stands for itself: words and gaps


def _parts(node: Node, signs: bool) -> Iterator[Part]:
    if isinstance(node, Concat):
        for part in node.parts:
            yield from _parts(part, signs)
    elif isinstance(node, Repeat):
        yield from _repeated(node, signs)
    elif isinstance(node, Choice):
        options = [list(_parts(option, signs)) for option in node.options]
        shown = first_names([" ".join(text for text, _ in option) for option in options], _NAMED)
        yield f"({shown})", all(is_word for option in options for _, is_word in option)
    elif isinstance(node, Capture | Tagged):
        yield from _parts(node.inner, signs)
    elif isinstance(node, Word):
        yield node.text, True
    elif isinstance(node, WordPattern):
        yield title_of(node.text, splits_signs=signs) or node.text, False
    elif not isinstance(node, Empty):
        yield _KINDS.get(type(node)) or print_expression(node), False


def _repeated(node: Repeat, signs: bool) -> Iterator[Part]:
    if _is_gap(node):
        yield _GAP, True
        return
    inner = list(_parts(node.inner, signs))
    shown = " ".join(text for text, _ in inner)
    yield shown if node.least else f"({shown})?", all(is_word for _, is_word in inner)


def _is_gap(node: Node) -> bool:
    return isinstance(node, Repeat) and isinstance(node.inner, Any) and node.most != 1


def _first_words(node: Node) -> list[str] | None:
    """Words that a tree reads; None where it asks for more than words."""
    if isinstance(node, Word):
        return [node.text]
    if isinstance(node, Choice):
        return _first_words(node.options[0])
    if isinstance(node, Repeat):
        inner = _first_words(node.inner)
        return None if inner is None else inner * node.least
    if isinstance(node, Concat):
        parts = [_first_words(part) for part in node.parts]
        return None if None in parts else [word for part in parts for word in part or ()]
    return [] if isinstance(node, SentenceStart | SentenceEnd | Empty) else None
