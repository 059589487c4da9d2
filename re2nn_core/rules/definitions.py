"""Word classes in force while a rule file is read, and expressions with these classes put in.

A class is expanded once, where it is defined, so a rule that uses it never looks further than one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import is_

from re2nn_core.rules.exceptions import more_than_words
from re2nn_core.rules.leaves import new_leaves
from re2nn_core.rules.lexer import rule_tokens, spans
from re2nn_core.rules.names import MOST_GUESSES, did_you_mean
from re2nn_core.rules.parser import parse_tokens
from re2nn_core.rules.source import Problem
from re2nn_core.rules.tree import (
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
    Repeat,
    Tagged,
    Word,
    WordList,
    WordPattern,
    case_node,
    children,
    choice,
    concat,
    except_of,
    leaves_of,
    lemma_node,
    walk,
)
from re2nn_core.rules.warnings import suspicious
from re2nn_core.rules.warnings.checks import NEVER, accepts_every_sentence, can_match
from re2nn_core.rules.word_lists.definition import (
    bad_path,
    begins_list,
    digest_of,
    kept_entries,
    list_inside,
    read_definition,
)
from re2nn_core.rules.word_lists.expansion import expanded_list
from re2nn_core.text.case_words import surface_of
from re2nn_core.text.like_words import decided_for, is_like
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.notation import folded

EVERY = "the rule accepts every sentence"
_LIST_INSIDE = "file(...) is read as words here, not as a list"
_NOT_THERE = ("there is no file", "its entries are not here", "the archive has no file")
_LIST_THERE = "Put the file into the folder of the rules; in a project, upload it under Word classes."
_LIST_RIGHT = "Correct the list; in a project, then upload it again under Word classes."
_LIST_ADVICE = 'Define a class by it, @city@ = file("cities.txt"), and write @city@ here.'
_UNKNOWN = "the class '@{}@' is not known here"
_ITSELF = "the class '@{}@' is named in its own definition"
_UNDECIDED = "which words are in '@{}@' is not decided yet"
_LIKE_ADVICE = "In a project, find them by the button below; for files: re2nn like RULES --data TEXTS -o NEW_RULES."
# Classes of classes grow by multiplication; past these bounds a rule file is a mistake or an attack.
MAX_EXPANDED_NODES = 100_000
MAX_EXPANDED_DEPTH = 150
# A list is one node where it is defined, and alternatives that all its uses share: so many entries count as one node.
_ENTRIES_A_NODE = 1_000
_USED = re.compile(r"@([^@\s<]+)(?:<:>[^@\s]*)?@")


@dataclass(slots=True)
class Expression:
    """What was written, the same with its classes put in, and all that was found wrong or odd on the way.

    `offset` and `width` tell where in its logical line the expression stands, without its note.
    """

    tree: Node
    expanded: Node
    note: str
    offset: int
    width: int
    faults: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def has_slots(self) -> bool:
        """Whether a word is captured or tagged."""
        return any(isinstance(node, Capture | Tagged) for node in walk(self.tree))

    def problem(self, message: str, advice: str) -> Problem:
        """A problem with the expression as a whole."""
        return Problem(self.offset, self.width, message, advice)


@dataclass(frozen=True, slots=True)
class _Class:
    """A class with its own classes put in; `nodes` and `depth` measure that tree."""

    tree: Node
    nodes: int
    depth: int
    faulty: bool = False


class ClassDefinitions:
    """The classes defined so far. `definition_lines` tells in which line each class of the file is defined first, and
    what is written there behind its name."""

    def __init__(self, lowercase: bool, definition_lines: dict[str, tuple[int, str]]) -> None:
        self.lowercase, self.definition_lines = lowercase, definition_lines
        self._known: dict[str, _Class] = {}
        self._leaves = new_leaves()
        self._guesses = 0
        self._reading = ""  # the class whose definition is read

    @property
    def has_patterns(self) -> bool:
        """Whether anything read so far asks for the letters of words."""
        return any(type(leaf) is WordPattern for leaf in self._leaves.values())

    @property
    def cased(self) -> frozenset[str]:
        """The spellings that are told from others though case is ignored."""
        if not self.lowercase:
            return frozenset()
        return frozenset(surface_of(leaf.text) for leaf in self._leaves.values() if type(leaf) is CaseWord)

    def read(self, text: str, start: int) -> Expression:
        """The expression that a logical line holds from `start` on."""
        if start:
            text = " " * start + text[start:]
        tokens = rule_tokens(text)
        note = ""
        if tokens and tokens[-1].startswith("//"):
            note = tokens.pop()
            text = text[: len(text) - len(note)]
        text = text.rstrip()
        offset = len(text) - len(text.lstrip())
        tree, faults, warnings = parse_tokens(text, tokens, self._leaves)
        expression = Expression(tree, tree, note[2:].strip(), offset, len(text) - offset, faults, warnings)
        if not tokens:
            missing = Problem(max(0, start - 2), 2, "there is no expression here", "Write one: $* flight $*.")
            expression.faults.append(missing)
        used = self._used(text, tokens, expression) if "@" in text else []
        if inside := list_inside(text):
            warnings.append(Problem(inside[0], inside[1] - inside[0], _LIST_INSIDE, _LIST_ADVICE))
        folds = word_form(text, lowercase=self.lowercase) != text
        if self.lowercase and folds and (capitals := suspicious.capitals(text, tokens)):
            warnings.append(capitals)
        if folds and (decomposed := suspicious.decomposed(text)):
            warnings.append(decomposed)
        if not expression.faults and (used or folds or "lemma" in text or 'case"' in text):
            self._expand(expression, used)
        return expression

    def read_rule(self, text: str, start: int) -> Expression:
        """A rule: an expression with a warning where it accepts every sentence, or none."""
        expression = self.read(text, start)
        if expression.faults:
            return expression
        if accepts_every_sentence(expression.tree):
            advice = "For a label of all that no other rule matches, make it the default label instead."
            if expression.has_slots:
                advice = "Write the context of the slot: $* to [ $ ]<city> $*."
            expression.warnings.append(expression.problem(EVERY, advice))
        elif ("BOS" in text or "EOS" in text) and not can_match(expression.tree):
            message = f"the rule {NEVER}: BOS comes after a word, or EOS before one"
            expression.warnings.append(expression.problem(message, "Put BOS first and EOS last, or leave them out."))
        return expression

    def read_class(self, name: str, text: str, start: int, kept: str = "") -> Expression:
        """The expression of a class, which is in force from here on even where it is at fault. `kept`: of a list, the
        comment that has its entries."""
        if begins_list(text[start:]):
            return self.read_list(name, text, start, kept)
        self._reading = name
        expression = self.read(text, start)
        self._reading = ""
        if expression.has_slots:
            advice = f"Tag the words where the class is used: @{name}<:>slot@."
            message = "a class holds words, but this one captures or tags them"
            expression.faults.append(expression.problem(message, advice))
        if isinstance(expression.tree, ButNot):
            advice = "Write it behind the rules that use the class: $* @name@ $* but not ( ... ).".replace("name", name)
            message = "a class holds words, but this one leaves texts out with 'but not'"
            expression.faults.append(expression.problem(message, advice))
        expression.warnings.extend(self._warnings_of_class(name, expression))
        tree = Empty() if expression.faults else expression.expanded
        nodes = 1 if expression.faults else self._nodes(expression.tree)
        self._known[name] = _Class(tree, nodes, _depth(tree), bool(expression.faults))
        return expression

    def _warnings_of_class(self, name: str, expression: Expression) -> Iterator[Problem]:
        """That it has no word, or those of another nearness, or takes the place of another class of its name."""
        if expression.faults:
            return
        if isinstance(expression.tree, Empty):
            advice = f"Write its words: @{name}@=( boston | denver )."
            yield expression.problem(f"the class '@{name}@' has no word, so it stands for nothing", advice)
        if is_like(name) and (nearness := decided_for(name, expression.note)) is not None:
            message = f"the words of '@{name}@' were found for the nearness {nearness:g}"
            yield expression.problem(message, _LIKE_ADVICE.replace("them", "its words"))
        former = self._known.get(name)
        if former is not None and former.tree != expression.expanded:
            line = self.definition_lines[name][0]
            yield expression.problem(
                f"the class '@{name}@' is defined in line {line:,} already; the rules from here on use this one",
                "Write all of its words in one definition, or give one of the two another name.",
            )

    def _nodes(self, tree: Node) -> int:
        """The nodes of a tree with its classes put in."""
        parts = (self._known[part.name].nodes if isinstance(part, ClassReference) else 1 for part in leaves_of(tree))
        return sum(parts)

    def read_list(self, name: str, text: str, start: int, kept: str) -> Expression:
        """A class that is defined by a list: `file("cities.txt")`."""
        definition = read_definition(text[start:])
        body = text[start:].partition("//")[0]
        offset = start + len(body) - len(body.lstrip())
        expression = Expression(Empty(), Empty(), "", offset, max(1, len(body.strip())))
        self._known[name] = _Class(Empty(), 1, 1, faulty=True)
        if definition is None:
            advice = (
                f'Write @{name}@ = file("cities.txt") or @{name}@ = file("cities.csv", column="name"), nothing else.'
            )
            expression.faults.append(expression.problem("the list is not written as file(...)", advice))
            return expression
        path, column = definition.name.path, definition.name.column
        if wrong := bad_path(path):
            expression.faults.append(expression.problem(*wrong))
            return expression
        entries, faults = kept_entries(kept) if kept else ((), ["its entries are not here"])
        for fault in faults:
            advice = _LIST_THERE if fault.startswith(_NOT_THERE) else _LIST_RIGHT
            expression.faults.append(expression.problem(f"the list '{path}': {fault}", advice))
        if entries:
            tree = WordList(path, column, digest_of(entries), entries)
            expression.tree, expression.note = tree, definition.note
            expression.expanded = expanded_list(tree, lowercase=self.lowercase)
            depth = _depth(expression.expanded)
            self._known[name] = _Class(expression.expanded, 1 + len(entries) // _ENTRIES_A_NODE, depth)
        return expression

    def _used(self, text: str, tokens: list[str], expression: Expression) -> list[_Class]:
        """The classes that an expression uses; a fault for each that is not defined above it."""
        used: list[_Class] = []
        inside = False  # [^ ... ]
        for number, lexeme in enumerate(tokens):
            inside = lexeme == "[^" or (inside and lexeme[0] != "]")
            if lexeme[0] != "@" or len(lexeme) < 2:
                continue
            name = lexeme[1:-1].partition("<:>")[0]
            if name in self._known:
                used.append(self._known[name])
                if inside and not used[-1].faulty and (option := more_than_words(used[-1].tree)) is not None:
                    place, end = spans(text)[number]
                    message = f"[^ ... ] reads one word, but the class '@{name}@' holds {option}"
                    advice = "Use a class of single words, % and & there; write a class without the others."
                    expression.faults.append(Problem(place, end - place, message, advice))
            elif lexeme in self._leaves:
                place, end = spans(text)[number]
                message = _UNDECIDED if is_like(name) else _ITSELF if name == self._reading else _UNKNOWN
                message = message.format(name)
                expression.faults.append(Problem(place, end - place, message, self._advice_for_unknown(name)))
        expression.faults.sort(key=lambda problem: problem.offset)
        return used

    def _advice_for_unknown(self, name: str) -> str:
        if is_like(name):
            return _LIKE_ADVICE
        if self._reading and self._leads_to(name, self._reading):
            through = f" through @{name}@" if name != self._reading else ""
            return (
                f"A class cannot hold itself: @{self._reading}@ does{through}. List its words, or name another class."
            )
        if name in self.definition_lines:
            line = self.definition_lines[name][0]
            return f"It is defined in line {line}, further down; move the definition above its first use."
        write = f"Define it above: @{name}@=( a | b )."
        self._guesses += 1
        if not self._known or self._guesses > MOST_GUESSES:
            return write
        known = [f"@{name}@" for name in self._known]
        return f"{did_you_mean(f'@{name}@', known, 'class')} {write}"

    def _leads_to(self, name: str, sought: str) -> bool:
        """Whether a class holds another, or is it; by how they are written, since neither is known yet."""
        met, waiting = {name}, [name]
        while waiting and sought not in met:
            now = waiting.pop()
            held = {used for used in _USED.findall(self.definition_lines.get(now, (0, ""))[1]) if used not in met}
            met |= held
            waiting += held
        return sought in met

    def _expand(self, expression: Expression, used: list[_Class]) -> None:
        """Puts classes in and folds words, unless the result would be out of all bounds."""
        nodes = sum(word_class.nodes for word_class in used)
        depth = max((word_class.depth for word_class in used), default=0)
        if nodes > MAX_EXPANDED_NODES or (depth > 3 and depth + _depth(expression.tree) > MAX_EXPANDED_DEPTH):
            message = f"with its classes put in, this has {nodes:,} words and signs or too many levels"
            advice = "Classes inside classes multiply. Use smaller classes, or split the rule."
            expression.faults.append(expression.problem(message, advice))
            return
        expression.expanded = self._put_in(expression.tree)

    def _put_in(self, node: Node) -> Node:
        """As `ruleset.expand`, but classes are expanded already and what does not change is shared."""
        if isinstance(node, Word):
            form = word_form(node.text, lowercase=self.lowercase)
            return node if form == node.text else Word(form)
        if isinstance(node, WordPattern):
            return WordPattern(folded(node.text)) if self.lowercase else node
        if isinstance(node, Lemma):
            return lemma_node(node, lowercase=self.lowercase)
        if isinstance(node, CaseWord):
            return case_node(node, lowercase=self.lowercase)
        if isinstance(node, ClassReference):
            return self._known[node.name].tree
        if isinstance(node, Except):
            return except_of([self._put_in(member) for member in node.members])
        if isinstance(node, Concat):
            parts = [self._put_in(part) for part in node.parts]
            return node if all(map(is_, parts, node.parts)) else concat(parts)
        if isinstance(node, Choice):
            options = [self._put_in(option) for option in node.options]
            return node if all(map(is_, options, node.options)) else choice(options)
        if isinstance(node, ButNot):
            return ButNot(self._put_in(node.inner), self._put_in(node.excluded))
        if isinstance(node, Repeat | Capture | Tagged):
            inner = self._put_in(node.inner)
            return node if inner is node.inner else replace(node, inner=inner)
        return node


def _depth(tree: Node) -> int:
    """The number of nodes from the root to the farthest leaf."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in children(node)]
    return depth
