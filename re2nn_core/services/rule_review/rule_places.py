"""The places of a written rule at which something is required, and what each is called in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import (
    Any,
    ButNot,
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
    Word,
    children,
    choice,
    concat,
)
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.kinds import spelling

_NAMED = 3  # words that a sentence lists
_SIGNS: Mapping[type[Node], str] = {
    Number: "a number",
    Punctuation: "a sign",
    Any: "a word",
    SentenceStart: "the start of the text",
    SentenceEnd: "the end of the text",
}


@dataclass(frozen=True)
class RuleUnit:
    """A part of the written rule; `put` gives the whole rule with another node in its place, without the alternatives
    that would do without it. `near` says where it stands: beside the `neighbour`, where that is one part.
    `alternatives`: it is all of several that are looked at one by one as well."""

    node: Node
    put: Callable[[Node], Node]
    near: str
    around: Callable[[Node], Node] | None = None
    may_miss: bool = False
    neighbour: Node | None = None
    alternatives: bool = False


@dataclass(frozen=True)
class RuleGap:
    """The place between two parts, and what the rule is with them in the other order."""

    units: tuple[RuleUnit, RuleUnit]
    put: Callable[[Node], Node]
    turned: Node


Put = Callable[[Node], Node]


@dataclass(frozen=True)
class _Around:
    """What stands before and behind, as names, empty where nothing does; `put` puts a node in the place of all
    alternatives of which one is looked at, or of all that is required. `neighbour`: the part that is named first;
    `apart`: other words stand between. `alternative`: what stands before is not of this one alone."""

    before: str = ""
    behind: str = ""
    put: Put | None = None
    neighbour: Node | None = None
    apart: bool = False
    alternative: bool = False


def places_of(tree: Node) -> Iterator[RuleUnit | RuleGap]:
    """The parts of an expression that are required, or any words, and the gaps between them."""
    core = core_of(tree)
    if not isinstance(tree, Concat) or not isinstance(core, Concat):
        return _places(tree, lambda node: node, _Around())
    begin = next(place for place, part in enumerate(tree.parts) if not is_wild(part))
    before, behind = tree.parts[:begin], tree.parts[begin + len(core.parts) :]
    return _places(tree, lambda node: node, _Around(put=lambda node: concat([*before, node, *behind])))


def _places(node: Node, put: Put, around: _Around) -> Iterator[RuleUnit | RuleGap]:
    if isinstance(node, ButNot):
        yield from _places(node.inner, lambda inner: put(ButNot(inner, node.excluded)), around)
    elif isinstance(node, Concat):
        yield from _of_sequence(node.parts, put, around)
    elif isinstance(node, Choice) and not _is_unit(node):
        if _required(node):
            yield replace(_unit(node, put, around), alternatives=True)
        plain = [option for option in node.options if _is_unit(option)]
        inner = replace(around, put=put, alternative=True)
        for option in [*([choice(plain)] if plain else []), *(one for one in node.options if one not in plain)]:
            yield from _places(option, put, inner)
    elif isinstance(node, Repeat) and not is_wild(node) and not _is_unit(node.inner):
        if node.least:
            yield from _places(node.inner, put, around)
    elif not isinstance(node, Empty):
        yield _unit(node, put, around)


def _unit(node: Node, put: Put, around: _Around) -> RuleUnit:
    optional = isinstance(node, Repeat) and node.least == 0 and not is_wild(node)
    near = _near(replace(around, before=_and_more(around.before)) if around.apart and is_wild(node) else around)
    return RuleUnit(node, put, near, around.put, optional, around.neighbour)


def _and_more(name: str) -> str:
    """A part and other words behind it: `“from …”`."""
    return f"{name[:-1]} …”" if name.endswith("”") else name and f"{name} …"


def _of_sequence(parts: Sequence[Node], put: Put, around: _Around) -> Iterator[RuleUnit | RuleGap]:
    placed = []
    for place, part in enumerate(parts):

        def putting(
            node: Node, before: Sequence[Node] = parts[:place], behind: Sequence[Node] = parts[place + 1 :]
        ) -> Node:
            return put(concat([*before, node, *behind]))

        before, behind = _nearest(parts[:place][::-1]), _nearest(parts[place + 1 :])
        # What stands before all alternatives may do without this one.
        outer = "" if around.alternative and behind is not None else around.before
        neighbour = before or (None if outer else behind)
        own = _Around(
            _short(before) or outer,
            _short(behind) or around.behind,
            around.put,
            around.neighbour if neighbour is None else neighbour,
            before is not parts[place - 1] if place else around.apart,
            around.alternative,
        )
        placed.append((part, putting, own))
        yield from _places(part, putting, own)
    for place, pair in enumerate(pairwise(placed), start=1):
        if not all(_required(part) and _is_unit(part) for part, _, _ in pair):
            continue

        def between(node: Node, before: Sequence[Node] = parts[:place], behind: Sequence[Node] = parts[place:]) -> Node:
            return put(concat([*before, node, *behind]))

        turned = put(concat([*parts[: place - 1], parts[place], parts[place - 1], *parts[place + 1 :]]))
        yield RuleGap((_unit(*pair[0]), _unit(*pair[1])), between, turned)


def _nearest(parts: Sequence[Node]) -> Node | None:
    """The first part that is required."""
    return next(filter(_required, parts), None)


def _short(part: Node | None) -> str:
    return "" if part is None else name_of(part, short=True)


def _near(around: _Around) -> str:
    return f" after {around.before}" if around.before else f" before {around.behind}" if around.behind else ""


def is_sign(node: Node) -> bool:
    """Whether a part asks for a number or a sign."""
    return isinstance(node, Number | Punctuation)


def _is_unit(node: Node) -> bool:
    """Whether a part reads one word, or is a place in the text."""
    if isinstance(node, Choice):
        return all(
            not children(option) and not isinstance(option, Empty | SentenceStart | SentenceEnd)
            for option in node.options
        )
    return not children(node)


def is_wild(node: Node) -> bool:
    return isinstance(node, Any) or (isinstance(node, Repeat) and isinstance(node.inner, Any))


def _required(node: Node) -> bool:
    """Whether a part is there in every sentence, and is more than any word."""
    if isinstance(node, Empty) or is_wild(node):
        return False
    if isinstance(node, Choice):
        return all(map(_required, node.options))
    return not isinstance(node, Repeat) or (node.least > 0 and _required(node.inner))


def name_of(node: Node, *, short: bool = False) -> str:
    """What a part is called; empty for one without a name of its own."""
    if isinstance(node, Repeat):
        return name_of(node.inner, short=short)
    if isinstance(node, Concat):
        parts = node.parts[-1:] if short else [part for part in node.parts if not is_wild(part)]
        return " ".join(name_of(part, short=True) for part in parts).replace("” “", " ")
    if isinstance(node, Choice):
        names = [name_of(option, short=short or not isinstance(option, Concat)) for option in node.options]
        if short:
            return f"{names[0]} …"
        if len(names) > _NAMED + 1:
            return f"one of {len(names)} words ({', '.join(names[:_NAMED])} …)"
        return join_names(names, last="or")
    if isinstance(node, Word):
        return f"“{spelling(node.text)}”"
    if isinstance(node, ClassReference):
        return f"a word of @{node.name}@"
    return _SIGNS.get(type(node)) or print_expression(node)


def words_in_quotes(words: frozenset[str]) -> str:
    """The first words, those of letters in front, and how many others there are: of these one."""
    spelt = sorted(set(map(spelling, words)), key=lambda word: (not word[:1].isalpha(), word))
    shown = spelt if len(spelt) <= _NAMED + 1 else spelt[:_NAMED]
    left = len(spelt) - len(shown)
    named = [f"“{word}”" for word in shown]
    return join_names([*named, f"one of {left:,} other words"] if left else named, last="or")


def shortened(node: Node, neutral: Node) -> Node:
    """The expression with as few any words as it takes, each the neutral one: what is shown of it is short."""
    if isinstance(node, Any):
        return neutral
    if isinstance(node, Repeat) and isinstance(node.inner, Any):
        return concat([neutral] * node.least)
    if isinstance(node, Concat):
        return concat([shortened(part, neutral) for part in node.parts])
    if isinstance(node, Choice):
        return choice([shortened(option, neutral) for option in node.options])
    if isinstance(node, Repeat):
        return Repeat(shortened(node.inner, neutral), node.least, node.most)
    if isinstance(node, ButNot):
        return shortened(node.inner, neutral)
    return node


def core_of(node: Node) -> Node:
    """The expression without any words at its ends."""
    if not isinstance(node, Concat):
        return node
    inner = [place for place, part in enumerate(node.parts) if not is_wild(part)]
    return concat(list(node.parts[inner[0] : inner[-1] + 1])) if inner else node
