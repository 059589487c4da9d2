"""From the tokens of one rule to its syntax tree, by recursive descent.

    rule        = expression [ "but" "not" "(" expression ")" ]
    expression  = sequence { "|" sequence }
    sequence    = { part }                      an empty one is allowed as a whole group only: ( )
    part        = ( leaf | group | capture | exception ) [ "<:>slot" ] [ "*" | "+" | "?" | "{m}" | "{m,}" | "{m,n}" ]
    group       = "(" expression ")"
    capture     = "[" expression "]<slot>"
    exception   = "[^" leaf { leaf } "]"       words, %, & and classes; a | between them says nothing

A fault does not stop the parser: it is noted and the parser goes on behind it, so one pass finds them all.
Leaves are shared between rules through a dictionary from token to node, which is also what makes it quick.
"""

from __future__ import annotations

from re2nn_core.errors import RuleError
from re2nn_core.rules import exceptions
from re2nn_core.rules.capture_slot import unnamed_slot
from re2nn_core.rules.leaves import SLOT, Leaves, new_leaves, read_leaf, read_repeat
from re2nn_core.rules.lexer import BUT_NOT, BadTokenError, print_word, rule_tokens, spans, with_but_not
from re2nn_core.rules.source import Problem, joined_line, split_lines
from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    Choice,
    Concat,
    Empty,
    Except,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    choice,
    concat,
    walk,
)
from re2nn_core.rules.warnings import suspicious
from re2nn_core.rules.warnings.misspelt import misspelt
from re2nn_core.rules.warnings.odd_slots import odd_capture, odd_tag

# Deep enough for any rule a person reads, and shallow enough for every recursion over trees.
MAX_NESTING = 50

_WITH_PARTS = frozenset((Capture, Choice, Concat, Empty, Repeat, Tagged))
_TAGGED_ANCHOR = "'{}' tags BOS or EOS, which read no word"
# The number of a token, what is wrong there, and what to write instead.
_Note = tuple[int, str, str]


def parse_expression(text: str, *, file: str = "<rule>") -> Node:
    """The syntax tree of one expression; RuleError with all its faults. Classes stay references."""
    line = joined_line(split_lines(text))
    tokens = [lexeme for lexeme in rule_tokens(line.text) if not lexeme.startswith("//")]
    if not tokens:
        empty = Problem(0, 1, "there is no expression here", "Write one, such as $* flight $*.")
        raise RuleError([line.fault(empty, file=file)])
    tree, faults, _ = parse_tokens(line.text, rule_tokens(line.text), new_leaves())
    if faults:
        raise RuleError([line.fault(problem, file=file) for problem in faults])
    return tree


def parse_tokens(text: str, tokens: list[str], leaves: Leaves) -> tuple[Node, list[Problem], list[Problem]]:
    """The tree of an expression, its faults and its warnings; `tokens` are those of `text`."""
    parser = _Parser([*with_but_not(tokens), ""], leaves)
    tree = parser.parse()
    meant = misspelt(text)
    if not parser.faults and not parser.warnings and not meant and not suspicious.worth_a_look(text):
        return tree, [], []
    places = [*spans(text), (len(text), len(text))]
    faults = [_problem(places, note) for note in parser.faults] + suspicious.faults(text)
    warnings = [_problem(places, note) for note in parser.warnings] + suspicious.warnings(text) + meant
    return tree, sorted(faults, key=_offset), sorted(warnings, key=_offset)


def _problem(places: list[tuple[int, int]], note: _Note) -> Problem:
    start, end = places[note[0]]
    return Problem(start, end - start, note[1], note[2])


def _offset(problem: Problem) -> int:
    return problem.offset


class _Stop(Exception):  # noqa: N818 - ends the reading of one rule, never leaves this module
    """The rest of the rule cannot be read sensibly."""


class _Parser:
    """One expression; `tokens` end with an empty string."""

    def __init__(self, tokens: list[str], leaves: Leaves) -> None:
        self.tokens, self.leaves = tokens, leaves
        self.at = 0
        self.open_groups = 0
        self.open_captures = 0
        self.faults: list[_Note] = []
        self.warnings: list[_Note] = []

    def parse(self) -> Node:
        try:
            tree = self.expression()
            return self.but_not(tree) if self.tokens[self.at] == BUT_NOT else tree
        except _Stop:
            return Empty()

    def but_not(self, inner: Node) -> Node:
        """`but not ( ... )` behind a whole rule, and what is wrong with it."""
        place = self.at
        if place == 0 and not self.faults:
            self.fault(place, *exceptions.NOTHING_BEFORE)
        self.at += 2
        excluded = self.group()
        if excluded == Empty() and not self.faulted_since(place):
            self.fault(place, *exceptions.NOTHING_EXCLUDED)
        if any(isinstance(node, Capture | Tagged) for node in walk(excluded)):
            self.fault(place, *exceptions.SPANS_EXCLUDED)
        behind = self.tokens[self.at]
        if behind and not behind.startswith("//"):
            self.fault(self.at, *exceptions.NOT_LAST)
            raise _Stop
        return ButNot(inner, excluded)

    def fault(self, token: int, message: str, advice: str) -> None:
        self.faults.append((token, message, advice))

    def expression(self) -> Node:
        """Alternatives up to a closing sign that belongs to somebody outside, or to the end."""
        tokens, leaves = self.tokens, self.leaves
        options: list[Node] = []
        parts: list[Node] = []
        bars = [self.at - 1]
        repeatable = False
        while True:
            lexeme = tokens[self.at]
            leaf = leaves.get(lexeme)
            if leaf is not None:
                parts.append(leaf)
                self.at += 1
                repeatable = True
            elif lexeme == "|":
                options.append(self.option(parts, bars[-1], self.at))
                parts = []
                bars.append(self.at)
                self.at += 1
                repeatable = False
            elif lexeme == "(":
                parts.append(self.group())
                repeatable = True
            elif lexeme == "" or (lexeme[0] in ")]" and self.closes(lexeme)):
                break
            elif lexeme[0] not in ")]":
                repeatable = self.other(parts, lexeme, repeatable)
        if not options:
            return _sequence(parts)
        options.append(self.option(parts, bars[-1], bars[-1]))
        return self.alternatives(options, bars)

    def option(self, parts: list[Node], bar: int, place: int) -> Node:
        """One alternative: what stands behind the token `bar`; `place` is shown where that is nothing."""
        if not parts and not self.faulted_since(bar):
            advice = "Write ( a )? for something that may be left out, or remove the |."
            self.fault(place, "an alternative is empty", advice)
        return parts[0] if len(parts) == 1 else _sequence(parts)

    def faulted_since(self, token: int) -> bool:
        """True where something from this token on is already known to be at fault."""
        return any(place >= token for place, _, _ in self.faults)

    def alternatives(self, options: list[Node], bars: list[int]) -> Node:
        """The choice between the options, with a warning for one that is written twice."""
        if _WITH_PARTS.isdisjoint(map(type, options)) and len(set(map(id, options))) == len(options):
            return Choice(tuple(options))  # the usual case; leaves are shared, so equal ones are the same
        distinct = dict.fromkeys(options)
        if len(distinct) != len(options) and not self.faults:
            seen: set[Node] = set()
            for option, bar in zip(options, bars, strict=True):
                if option in seen:
                    message = "the same alternative occurs twice"
                    self.warnings.append((bar + 1, message, "Remove one of the two."))
                seen.add(option)
        for option in distinct:
            if type(option) is Choice:
                return choice(options)
        return Choice(tuple(distinct)) if len(distinct) > 1 else options[0]

    def closes(self, lexeme: str) -> bool:
        """True where a closing sign ends something open; a stray one is a fault and is passed over."""
        if lexeme == BUT_NOT:
            if self.open_groups or self.open_captures:
                self.fault(self.at, *exceptions.NOT_WHOLE)
                self.at += 2
                self.group()
                return False
            return True
        if self.open_groups if lexeme == ")" else self.open_captures:
            return True
        opener = "the ( that it belongs to" if lexeme == ")" else "the [ where the captured words begin"
        self.fault(self.at, f"'{lexeme}' closes nothing", f"Remove it, or write {opener}.")
        self.at += 1
        return False

    def group(self) -> Node:
        opened = self.enter()
        self.open_groups += 1
        node = self.expression()
        self.open_groups -= 1
        if self.tokens[self.at] == ")":
            self.at += 1
        else:
            self.fault(opened, "'(' is never closed", "Write the ) where the group ends, or remove the (.")
        return node

    def capture(self) -> Node:
        opened = self.enter()
        if self.open_captures:
            self.fault(opened, "a capture is inside another capture", "Close the outer capture first.")
        self.open_captures += 1
        node = self.expression()
        self.open_captures -= 1
        lexeme = self.tokens[self.at]
        if lexeme[:1] != "]":
            self.fault(opened, "'[' is never closed", "Write ]<slot> where the captured words end.")
            return node
        self.at += 1
        slot = lexeme[2:-1].strip()
        if not SLOT.fullmatch(slot):
            self.fault(self.at - 1, *unnamed_slot(self.tokens[opened : self.at + 1], lexeme, slot, first=opened == 0))
        elif node == Empty() and not self.faulted_since(opened):
            self.fault(opened, "the capture holds no word", "Write the words to capture between [ and ].")
        elif odd := odd_capture(node, slot):
            self.warnings.append((self.at - 1, *odd))
        return Capture(node, slot)

    def enter(self) -> int:
        """A group or a capture begins; returns the number of its first token."""
        if self.open_groups + self.open_captures >= MAX_NESTING:
            message = f"more than {MAX_NESTING} nested groups"
            self.fault(self.at, message, "Name the inner part as a class, @name@=( ... ), or split the rule in two.")
            raise _Stop
        self.at += 1
        return self.at - 1

    def other(self, parts: list[Node], lexeme: str, repeatable: bool) -> bool:
        """All that is rare, and leaves seen for the first time; True where a repeat may follow."""
        if lexeme in "*+?" or lexeme[0] == "{":
            self.repeat(parts, lexeme, repeatable)
            return False
        if lexeme[0] == "[":
            parts.append(self.capture() if lexeme == "[" else self.exception())
            return True
        self.at += 1
        if lexeme.startswith("<:>"):
            self.tag(parts, lexeme, repeatable)
            return bool(parts)
        if lexeme.startswith("//"):
            return repeatable
        parts.append(self.leaf(lexeme))
        return True

    def leaf(self, lexeme: str) -> Node:
        """The leaf of the token that was passed last; Empty where it stands for nothing."""
        if lexeme.isascii() and lexeme.isalnum():  # nearly every word, and written in one way only
            word = self.leaves[lexeme] = Word(lexeme)
            return word
        try:
            leaf = read_leaf(lexeme)
            # One node for one word, however it is written: "a" and a.
            key = print_word(leaf.text) if isinstance(leaf, Word) else lexeme
            leaf = self.leaves[lexeme] = self.leaves.setdefault(key, leaf)
        except BadTokenError as bad:
            self.fault(self.at - 1, bad.message, bad.advice)
            if bad.to_the_end:
                raise _Stop from None
            return Empty()
        return leaf

    def exception(self) -> Node:
        """`[^ a b ]`; Empty where it leaves out nothing that can be left out."""
        opened = self.at
        self.at += 1
        members: list[Node] = []
        while (lexeme := self.tokens[self.at]) and lexeme[0] not in ")]":
            self.excepted(members, lexeme)
        if not lexeme or lexeme[0] == ")":
            self.fault(opened, *exceptions.UNCLOSED)
        else:
            self.at += 1
            if lexeme != "]":
                message, advice = exceptions.SLOT_BEHIND
                inside = " ".join(self.tokens[opened + 1 : self.at - 1])
                self.fault(self.at - 1, message.format(lexeme), advice.format(inside, lexeme))
        if not members and not self.faulted_since(opened):
            self.fault(opened, *exceptions.EMPTY)
        if self.at == opened + 3 and exceptions.CHARACTER_RANGE.fullmatch(self.tokens[opened + 1]):
            message, advice = exceptions.RANGE
            self.warnings.append((opened + 1, message.format(self.tokens[opened + 1]), advice))
        return Except(tuple(dict.fromkeys(members))) if members else Empty()

    def excepted(self, members: list[Node], lexeme: str) -> None:
        """One part between `[^` and `]`."""
        place = self.at
        if lexeme[0] in "([":
            self.fault(place, *{"(": exceptions.GROUPED, "[": exceptions.CAPTURED}.get(lexeme, exceptions.NESTED))
            self.group() if lexeme == "(" else self.capture() if lexeme == "[" else self.exception()
            return
        self.at += 1
        if lexeme[0] in "*+?{":
            message, advice = exceptions.REPEATED
            self.fault(place, message.format(lexeme), advice.format(lexeme))
        elif lexeme.startswith("<:>"):
            self.fault(place, exceptions.TAGGED[0].format(lexeme), exceptions.TAGGED[1])
        elif lexeme != "|" and not lexeme.startswith("//"):
            leaf = self.leaves.get(lexeme) or self.leaf(lexeme)
            if wrong := exceptions.not_excepted(leaf):
                self.fault(place, *wrong)
            elif leaf in members:
                self.warnings.append((place, "the same word is left out twice", "Remove one of the two."))
            elif leaf != Empty():
                members.append(leaf)

    def repeat(self, parts: list[Node], lexeme: str, repeatable: bool) -> None:
        """`*`, `+`, `?` or a count: repeats the last part."""
        place, before = self.at, self.tokens[self.at - 1]
        self.at += 1
        if not repeatable:
            self.repeat_fault(place, lexeme, before, bool(parts))
            return
        # Repeated leaves are shared as leaves are; no token reads like a token and its repeat in one.
        known = self.leaves.get(before + lexeme)
        if known is not None:
            parts[-1] = known
            return
        try:
            least, most = read_repeat(lexeme)
        except BadTokenError as bad:
            self.fault(place, bad.message, bad.advice)
            return
        parts[-1] = Repeat(parts[-1], least, most)
        if most == 0:
            message = f"'{lexeme}' repeats zero times, so nothing is read here"
            self.warnings.append((place, message, "Remove the part that is repeated."))
        elif before in self.leaves:
            self.leaves[before + lexeme] = parts[-1]

    def repeat_fault(self, place: int, lexeme: str, before: str, anything_before: bool) -> None:
        """A repeat without anything to repeat; one fault for several in a row."""
        if self.faults and self.faults[-1][0] == place - 1:
            return
        if anything_before:
            advice = "Keep one of the two; put the first in parentheses to repeat it as a whole: ( a* )?."
            if lexeme == "?":
                advice = "Leave it out: a rule reads the whole sentence, so no repeat is lazy or greedy."
            self.fault(place, f"'{lexeme}' repeats what is repeated already", advice)
            return
        advice = f"Write what is to be repeated before it, or \\{lexeme[0]} for the sign itself."
        if lexeme == "?" and before == "(":
            advice = "A group is written ( ... ), without the ?: of character regexes."
        self.fault(place, f"'{lexeme}' has nothing before it to repeat", advice)

    def tag(self, parts: list[Node], lexeme: str, taggable: bool) -> None:
        """`<:>slot` behind one part."""
        place, name = self.at - 1, lexeme[3:]
        if not name:
            self.fault(place, "'<:>' is not followed by the name of a slot", "Write it as in york<:>I-city.")
        elif not parts or not taggable:
            advice = "Write the tag right behind its word and before a repeat: york<:>I-city?."
            self.fault(place, f"'{lexeme}' has no word before it", advice)
        elif isinstance(parts[-1], SentenceStart | SentenceEnd):
            # The published files write EOS<:>O, which says nothing; any other tag would be lost.
            if name in ("O", "OO"):
                self.warnings.append((place, _TAGGED_ANCHOR.format(lexeme), "Leave the tag out."))
            else:
                self.fault(place, _TAGGED_ANCHOR.format(lexeme), "Put the tag on a word.")
        elif self.open_captures or any(isinstance(part, Tagged | Capture) for part in walk(parts[-1])):
            self.fault(place, f"'{lexeme}' tags what is captured or tagged already", "Keep one of the two.")
        else:
            parts[-1] = Tagged(parts[-1], name)
            if odd := odd_tag(name):
                self.warnings.append((place, *odd))


def _sequence(parts: list[Node]) -> Node:
    """Parts in a row."""
    if len(parts) == 1:
        return parts[0]
    for part in parts:
        if type(part) is Concat:
            return concat(parts)
    return Concat(tuple(parts)) if parts else Empty()
