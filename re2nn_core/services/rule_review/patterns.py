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
from re2nn_core.text.joined_names import first_names, join_names
from re2nn_core.text.tokenization import Tokenization

_NAMED = 3  # words of a class
_LISTED = 3  # patterns
_GAP = "…"
_KINDS = {
    Number: "a number",
    Punctuation: "a sign",
    SentenceStart: "start of the text:",
    SentenceEnd: "end of the text",
    Any: "any word",
}


Counts = tuple[int, int]  # texts fixed and broken


@dataclass(frozen=True)
class Pattern:
    """One alternative of a rule. `tree` is the whole rule with this one alone, classes put in; `text`, which names it,
    is that as it is written; `shown` is for people: `“hi … ?”`."""

    text: str
    shown: str
    tree: Node


@dataclass(frozen=True)
class ReviewedPattern:
    """A pattern as people read it, the `texts` that it matches, and what it fixes and breaks `alone`, as the only one
    of its rule, and the rule `without` it, of the texts that decide; how many others the rule no longer fixes then
    (`lost`); how many of the texts that it matches have another label (`other`); an `example` of what an expression
    matches. `text` names it."""

    text: str
    shown: str
    texts: int
    alone: Counts
    without: Counts
    example: str = ""
    lost: int = 0
    other: int = 0


@dataclass(frozen=True)
class BetterWithout:
    """The patterns without which a rule is better, as people read them, and the rule without them as it is written;
    what it then fixes and breaks, whether that is more (`gains`), and how many texts that do not decide it no longer
    fixes (`lost`)."""

    names: Sequence[str]
    text: str
    counts: Counts
    gains: bool
    lost: int = 0

    @property
    def named(self) -> str:
        """The first of the patterns."""
        few = len(self.names) <= _LISTED
        return join_names(self.names) if few else first_names(self.names, _LISTED)


@dataclass(frozen=True)
class LeftOut:
    """What was learned for a new rule and is left out of its recommended form, `better`; `learned`: what the rule fixes
    and breaks with it, of the texts that decide."""

    better: BetterWithout
    learned: Counts


@dataclass(frozen=True)
class NewRulePatterns:
    """The patterns of a new rule, those that gain most in front, and without which of them it is better, if any."""

    rows: tuple[ReviewedPattern, ...]
    better: BetterWithout | None = None


@dataclass(frozen=True)
class OverriddenLogic:
    """What a new rule overrides. `vetoes`: the rules that the formula of its label negates; `stronger`: the labels with
    priority over it, where it predicts `first`, before all others. `example`: a text that the rule and one of these
    match, and whose prediction the rule changes from that `before` (None for none); `made_up`: it is two texts of the
    project in one. Empty where there is none."""

    vetoes: tuple[str, ...] = ()
    stronger: tuple[str, ...] = ()
    example: str = ""
    before: str | None = None
    made_up: bool = False
    first: bool = True


def patterns_of(tree: Node, classes: Mapping[str, Node], tokenization: Tokenization) -> tuple[Pattern, ...]:
    """Those of a rule, in its order; `classes` are in force where it stands. A rule without alternatives has one."""
    alone = (expand(one, dict(classes), tokenization.lowercase) for one in _alternatives(tree, classes))
    found = (Pattern(print_expression(one), in_words(one), one) for one in alone)
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


def in_words(tree: Node) -> str:
    """A pattern as it is read: `“hi … ?”`, `words with a dot inside`; words are in quotes, and gaps stand between parts
    alone."""
    parts = list(_parts(tree))
    runs = [(is_word, [text for text, _ in run]) for is_word, run in groupby(parts, key=lambda part: part[1])]
    shown = (_quoted(texts) if is_word else " ".join(texts) for is_word, texts in runs)
    return " ".join(filter(None, shown)) or "any text"


def _quoted(words: Sequence[str]) -> str:
    shown = " ".join(words).strip(f" {_GAP}")
    return f"“{shown}”" if shown else ""


Part = tuple[str, bool]  # a text, and whether it stands for itself: words and gaps


def _parts(node: Node) -> Iterator[Part]:
    if isinstance(node, Concat):
        for part in node.parts:
            yield from _parts(part)
    elif isinstance(node, Repeat):
        yield from _repeated(node)
    elif isinstance(node, Choice):
        options = [list(_parts(option)) for option in node.options]
        shown = first_names([" ".join(text for text, _ in option) for option in options], _NAMED)
        yield f"({shown})", all(is_word for option in options for _, is_word in option)
    elif isinstance(node, Capture | Tagged):
        yield from _parts(node.inner)
    elif isinstance(node, Word):
        yield node.text, True
    elif isinstance(node, WordPattern):
        yield title_of(node.text) or node.text, False
    elif not isinstance(node, Empty):
        yield _KINDS.get(type(node)) or print_expression(node), False


def _repeated(node: Repeat) -> Iterator[Part]:
    if _is_gap(node):
        yield _GAP, True
        return
    inner = list(_parts(node.inner))
    shown = " ".join(text for text, _ in inner)
    yield shown if node.least else f"({shown})?", all(is_word for _, is_word in inner)


def _is_gap(node: Node) -> bool:
    return isinstance(node, Repeat) and isinstance(node.inner, Any) and node.most != 1
