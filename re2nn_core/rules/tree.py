"""The syntax tree of a rule: frozen nodes that compare by value.

    Node
    ├── Word(text)             one named word
    ├── Any                    $    any one word
    ├── WordPattern(text)      re"book.*"  a word with such letters
    ├── Number                 %    a number
    ├── Punctuation            &    a punctuation token
    ├── SentenceStart          BOS  the place before the first word
    ├── SentenceEnd            EOS  the place after the last word
    ├── Empty                  ( )  no word at all
    ├── ClassReference(name)   @name@
    ├── Lemma(text)            lemma:"go"  a form of a word
    ├── CaseWord(text)         case"Apple"  a word with these capital and small letters
    ├── WordList(path, …)      file("cities.txt")   the whole definition of a class
    ├── Except(members)        [^ a b @name@ ]   any one word but these; members are words, %, & and classes
    ├── Concat(parts)          two or more parts in a row
    ├── Choice(options)        two or more alternatives
    ├── Repeat(inner, least, most)   most None: without limit
    ├── Capture(inner, slot)   [ inner ]<slot>
    ├── Tagged(inner, tag)     inner<:>tag for one word, $, %, &, or a class
    └── ButNot(inner, excluded)   inner but not ( excluded )   around a whole rule only

BOS and EOS read no word: a rule accepts a sentence when it accepts its words with or without BOS in front
and with or without EOS behind. `$`, `%` and `&` never stand for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from re2nn_core.text.case_words import cased_word, spellings, surface_of
from re2nn_core.text.lemmas import forms_of
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.classes import class_words


@dataclass(frozen=True)
class Word:
    text: str


@dataclass(frozen=True)
class Any:
    pass


@dataclass(frozen=True)
class Number:
    pass


@dataclass(frozen=True)
class Punctuation:
    pass


@dataclass(frozen=True)
class SentenceStart:
    pass


@dataclass(frozen=True)
class SentenceEnd:
    pass


@dataclass(frozen=True)
class Empty:
    pass


@dataclass(frozen=True)
class WordPattern:
    """A word of which the letters are asked; `text` as rules write it (text/word_patterns/notation.py)."""

    text: str


@dataclass(frozen=True)
class Lemma:
    """A word of which a base form is given; `text` as rules write it (text/lemmas.py). It is put in as its forms, as a
    class is."""

    text: str


@dataclass(frozen=True)
class CaseWord:
    """A word with these capital and small letters; `text` as rules write it (text/case_words.py). It is put in as a
    word."""

    text: str


@dataclass(frozen=True)
class ClassReference:
    name: str


@dataclass(frozen=True)
class WordList:
    """The entries of a file, or of a column of a table; the whole definition of a class. Lists are equal where their
    names and the digests of their entries are."""

    path: str
    column: str
    digest: str
    entries: tuple[str, ...] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Except:
    """Any one word but those of `members`: Word, Number, Punctuation or ClassReference, at least one and each once. It
    reads one word, so that it is a leaf: `children` and `rebuild` do not look into it."""

    members: tuple[Node, ...]

    def __post_init__(self) -> None:
        if not self.members or not all(isinstance(member, EXCEPTED) for member in self.members):
            raise ValueError(f"an exception lists words, numbers, punctuation and classes (got {self.members})")


EXCEPTED = (Word, Number, Punctuation, WordPattern, Lemma, CaseWord, ClassReference)


@dataclass(frozen=True)
class Concat:
    """Parts in a row: at least two, none of them a Concat."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """Alternatives: at least two, none of them a Choice."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """`inner` between `least` and `most` times; `most` None means without limit."""

    inner: Node
    least: int
    most: int | None

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < self.least):
            raise ValueError(f"repeat bounds must be 0 <= least <= most (got {self.least}, {self.most})")


@dataclass(frozen=True)
class Capture:
    inner: Node
    slot: str


@dataclass(frozen=True)
class Tagged:
    inner: Node
    tag: str


@dataclass(frozen=True)
class ButNot:
    """The texts that `inner` reads and `excluded` does not; `excluded` captures and tags nothing. It is the root of a
    rule, or an alternative of several rules taken together: as a part of a sequence it has no meaning."""

    inner: Node
    excluded: Node


Anchor = SentenceStart | SentenceEnd | Empty
Atom = Word | Any | Number | Punctuation | Anchor | ClassReference | WordPattern | Lemma | CaseWord | WordList | Except
# What reads exactly one word, once its classes are put in.
ReadsOne = Word | Any | Number | Punctuation | WordPattern | Except
Node = Atom | Concat | Choice | Repeat | Capture | Tagged | ButNot


def concat(parts: list[Node]) -> Node:
    """Parts in a row, flattened; Empty for none, the part itself for one."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Concat) else (part,))
    return flat[0] if len(flat) == 1 else Concat(tuple(flat)) if flat else Empty()


def choice(options: list[Node]) -> Node:
    """Alternatives, flattened, each kept once; ValueError for none."""
    flat: list[Node] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Choice) else (option,))
    distinct = list(dict.fromkeys(flat))
    if not distinct:
        raise ValueError("a choice needs at least one alternative")
    return distinct[0] if len(distinct) == 1 else Choice(tuple(distinct))


def with_excluded(tree: Node, excluded: Node) -> Node:
    """The expression of a rule with more texts left out."""
    if isinstance(tree, ButNot):
        return ButNot(tree.inner, choice([tree.excluded, excluded]))
    return ButNot(tree, excluded)


def lemma_node(lemma: Lemma, *, lowercase: bool) -> Node:
    """The forms of a word, as texts have them: a word, or alternatives. PatternError."""
    forms = {word_form(form, lowercase=lowercase) for form in forms_of(lemma.text)}
    return choice([Word(form) for form in sorted(forms)])


def case_node(case: CaseWord, *, lowercase: bool) -> Node:
    """The word that texts are read to have for this spelling."""
    surface = surface_of(case.text)
    return Word(cased_word(surface) if lowercase else surface)


def with_cases(tree: Node, surfaces: Collection[str]) -> Node:
    """The tree, classes put in, where a plain word reads these spellings of it too, which are words of their own."""
    own = spellings(surfaces)

    def leaf(node: Node) -> Node:
        if not isinstance(node, Word) or node.text not in own:
            return node
        return choice([node, *map(Word, own[node.text])])

    return rebuild(tree, into_exceptions(leaf)) if own else tree


def except_of(members: list[Node]) -> Except:
    """Any one word but these, alternatives flattened, each kept once; ValueError for none, or for what is no word."""
    flat: list[Node] = []
    for member in members:
        flat.extend(member.options if isinstance(member, Choice) else (member,))
    return Except(tuple(dict.fromkeys(flat)))


_AROUND_ONE = (Repeat, Capture, Tagged)  # a union of types would be made anew for every node


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a node, in order."""
    if type(node) is Word:  # nearly every node, where a list has many
        return ()
    if isinstance(node, Concat):
        return node.parts
    if isinstance(node, Choice):
        return node.options
    if isinstance(node, _AROUND_ONE):
        return (node.inner,)
    if isinstance(node, ButNot):
        return node.inner, node.excluded
    return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if parts := children(current):
            stack.extend(reversed(parts))


def rebuild(node: Node, leaf: Callable[[Node], Node]) -> Node:
    """A copy of the tree with `leaf` applied to every node that has no parts; flattened as it is built."""
    if isinstance(node, Concat):
        return concat([rebuild(part, leaf) for part in node.parts])
    if isinstance(node, Choice):
        return choice([rebuild(option, leaf) for option in node.options])
    if isinstance(node, Repeat):
        return Repeat(rebuild(node.inner, leaf), node.least, node.most)
    if isinstance(node, Capture):
        return Capture(rebuild(node.inner, leaf), node.slot)
    if isinstance(node, Tagged):
        inner = rebuild(node.inner, leaf)
        if isinstance(inner, Choice) and _is_tagged_alone(node.inner, inner):
            return choice([Tagged(option, node.tag) for option in inner.options])
        return Tagged(inner, node.tag)
    if isinstance(node, ButNot):
        return ButNot(rebuild(node.inner, leaf), rebuild(node.excluded, leaf))
    return leaf(node)


def _is_tagged_alone(before: Node, after: Choice) -> bool:
    """Whether a tag that was of a word, or of a class, is to be of each alternative: a tag is of one of these."""
    names = isinstance(before, ClassReference) and any(isinstance(option, ClassReference) for option in after.options)
    return names or isinstance(before, Word)


def into_exceptions(leaf: Callable[[Node], Node]) -> Callable[[Node], Node]:
    """For `rebuild`: what changes leaves, applied to those of exceptions too."""

    def changed(node: Node) -> Node:
        return except_of([leaf(member) for member in node.members]) if isinstance(node, Except) else leaf(node)

    return changed


def class_names(node: Node) -> tuple[str, ...]:
    """The word classes that a tree uses, also to leave their words out, in the order of their first use."""
    return tuple(dict.fromkeys(part.name for part in leaves_of(node) if isinstance(part, ClassReference)))


def named_words(node: Node) -> frozenset[str]:
    """Every word that the tree names, also to leave it out; for its patterns the class words."""
    leaves = list(leaves_of(node))
    patterns = [part.text for part in leaves if isinstance(part, WordPattern)]
    return frozenset(part.text for part in leaves if isinstance(part, Word)).union(class_words(patterns))


def patterns_in(node: Node) -> frozenset[str]:
    """What the tree asks of the letters of words, as rules write it."""
    return frozenset(part.text for part in leaves_of(node) if isinstance(part, WordPattern))


def leaves_of(node: Node) -> Iterator[Node]:
    """All nodes of a tree, as `walk` gives them, and behind each exception what it leaves out."""
    for part in walk(node):
        yield part
        if isinstance(part, Except):
            yield from part.members
