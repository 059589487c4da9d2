"""Rules written into the lines of a rule text: long lines broken where people break them, comments kept."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from re2nn_core.rules.kept_layout import laid_out
from re2nn_core.rules.lexer import comment_start
from re2nn_core.rules.names import RULE_NAME, name_with_number
from re2nn_core.rules.printer import class_definition, print_expression
from re2nn_core.rules.rule_comments import Comments, comments_of
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.source import LogicalLine, logical_lines, split_lines
from re2nn_core.rules.tree import ClassReference, Node, WordList, class_names, into_exceptions, rebuild

_NAMED = re.compile(rf"\s*(?:{RULE_NAME.pattern})\s*:=")
_WIDTH = 106
_HELD = "\x1f"


def classes_for(ruleset: RuleSet, rule: Rule) -> dict[str, Node]:
    """The word classes in force where the rule stands."""
    classes: dict[str, Node] = {}
    for entry in ruleset.entries:
        if entry is rule:
            break
        if isinstance(entry, WordClass):
            classes[entry.name] = entry.tree
    return classes


def with_expression(rules_text: str, rule: Rule, tree: Node) -> str:
    """The text with another expression of a rule, which has the same classes in force; comments stay as they are.
    `rule`: as it was read from the text."""
    lines = split_lines(rules_text)
    line = next(one for one in logical_lines(rules_text) if one.number == rule.line)
    begin = line.number - 1
    lines[begin : begin + len(line.sources)] = _rule_lines(rule.name, line, comments_of(rule.name, lines, line), tree)
    return "\n".join(lines)


def _rule_lines(name: str, old: LogicalLine, comments: Comments, tree: Node) -> list[str]:
    """The rule of a logical line with another expression and the comment behind it, as it was laid out; where that
    cannot be, on lines of its own."""
    named, expression = _NAMED.match(old.text), print_expression(tree)
    kept = laid_out(old, named.end() if named else 0, expression)
    if kept is not None:
        return [part for number, line in enumerate(kept) for part in _no_longer(line, old, number == len(kept) - 1)]
    body = wrapped((f"{name} := " if named else "") + expression)
    return [*body[:-1], body[-1] + (f"    {comments.behind}" if comments.behind else "")]


def _no_longer(line: str, old: LogicalLine, last: bool) -> list[str]:
    """A physical line, broken where it has grown longer than lines are, and than the longest of the old ones."""
    end = comment_start(line) if last else len(line) - 1
    code, rest = (line, "") if end is None else (line[:end], line[end:])
    longest = max(len(one[: comment_start(one)].rstrip()) for one in old.sources)
    if line in old.sources or len(code.rstrip()) <= max(_WIDTH, longest):
        return [line]
    parts = wrapped(code.rstrip())
    return [*parts[:-1], parts[-1] + code[len(code.rstrip()) :] + rest]


def _lines_of(rule: Rule, old: LogicalLine, comments: Comments, classes: Sequence[str]) -> list[str]:
    """The rule as it will stand in the file: the lines of `classes`, the comments that stood above it, the rule, the
    comment that stood at its end."""
    return [*classes, *comments.lines_marked_older, *_rule_lines(rule.name, old, comments, rule.tree)]


def class_lines(classes: Mapping[str, Node], notes: Mapping[str, str]) -> list[str]:
    """The lines that define word classes, with their comments."""
    return [line for name, tree in classes.items() for line in class_lines_of(name, tree, notes[name])]


def class_lines_of(name: str, tree: Node, note: str = "") -> list[str]:
    """The lines that define one word class; a list is on one line."""
    if isinstance(tree, WordList):
        return [class_definition(name, tree, note)]
    return wrapped(class_definition(name, tree), note)


def class_notes(ruleset: RuleSet) -> dict[str, str]:
    """The comment of each word class."""
    return {entry.name: entry.note for entry in ruleset.entries if isinstance(entry, WordClass)}


def wrapped(line: str, note: str = "") -> list[str]:
    """A long line broken where people break it: before a bar. All parts but the last end in a backslash. `note`: the
    comment behind it."""
    # textwrap does not break here, so a bar stays with the word behind it, a bracket with the one before.
    held = line.replace("| ", f"|{_HELD}").replace(" )", f"{_HELD})")
    parts = textwrap.wrap(held, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    lines = [part.replace(_HELD, " ") for part in parts]
    return [*(f"{part} \\" for part in lines[:-1]), lines[-1] + (f"    // {note}" if note else "")]


def with_rules_replaced(
    rules_text: str, now: RuleSet, new: RuleSet, names: Sequence[str]
) -> tuple[str, tuple[Comments, ...]]:
    """The text with the named rules as `new` has them, each in the lines where it stands, and the comments that people
    wrote about each. A class that a rule needs and that only lines below it define stands above it then, or behind the
    class that it extends; where the text has one of its name with other words, which other rules need, it gets another
    name. `now` is the text as read."""
    lines, logical = split_lines(rules_text), {line.number: line for line in logical_lines(rules_text)}
    own, replacing, notes = _by_name(now), _by_name(new), class_notes(new)
    above: dict[str, WordClass] = {}  # classes that came in above, each with the line that it came to
    written: list[tuple[int, int, list[str]]] = []
    found: list[Comments] = []
    for name in sorted(names, key=lambda name: own[name].line):
        rule, line = replacing[name], logical[own[name].line]
        comments = comments_of(name, lines, line)
        classes, in_force = classes_for(new, rule), _in_force(now, own[name], above)
        needed = {used: classes[used] for used in class_names(rule.tree) if in_force.get(used) != classes[used]}
        names_of = {used: _free_name(used, tree, now, above) for used, tree in needed.items()}
        rule = replace(rule, tree=_with_class_names(rule.tree, names_of))
        lacking: list[str] = []
        for used, tree in needed.items():
            known = names_of[used]
            if in_force.get(known) == tree:
                continue
            extended, lines_of = _extended(used, now, own[name]), class_lines_of(known, tree, notes[used])
            above[known] = WordClass(known, tree, line=line.number if extended is None else extended.line)
            if extended is None:
                lacking += lines_of
            else:
                behind = extended.line - 1 + len(logical[extended.line].sources)
                written.append((behind, behind, lines_of))
        begin, end = line.number - 1 - len(comments.above), line.number - 1 + len(line.sources)
        # Of a section's comment they would seem to be the first part.
        apart = bool(lacking and comments.above) and (begin == 0 or not lines[begin - 1].strip())
        written.append((begin, end, _lines_of(rule, line, comments, [*lacking, *([""] if apart else [])])))
        found.append(comments)
    again = [logical[one.line] for one in _defined_again(now, above)]
    written += [
        (line.number - 1, line.number - 1 + len(line.sources), [])
        for line in again
        if not comments_of("", lines, line).above
    ]
    for begin, end, those in sorted(written, reverse=True):
        lines[begin:end] = those
    return "\n".join(lines), tuple(found)


def _free_name(name: str, tree: Node, now: RuleSet, above: Mapping[str, WordClass]) -> str:
    """The name of a class that comes, or another one where there is one of this name with other words."""
    known = [*(one for one in now.entries if isinstance(one, WordClass)), *above.values()]
    taken = {one.name for one in known if one.tree != tree}
    return name_with_number(name, taken)


def _with_class_names(tree: Node, names: Mapping[str, str]) -> Node:
    def renamed(node: Node) -> Node:
        return ClassReference(names.get(node.name, node.name)) if isinstance(node, ClassReference) else node

    return rebuild(tree, into_exceptions(renamed)) if any(name != new for name, new in names.items()) else tree


def _extended(name: str, now: RuleSet, rule: Rule) -> WordClass | None:
    """The class that one of this name extends, as `city.paris_12` extends `city`, where it stands above a rule; of the
    words of a rule `day`, `day.fri_12`, none."""
    above = (one for one in now.entries if isinstance(one, WordClass) and one.line < rule.line)
    extended = (one for one in above if name.startswith(f"{one.name}.") and one.name != rule.name)
    return max(extended, key=lambda one: one.line, default=None)


def _by_name(ruleset: RuleSet) -> dict[str, Rule]:
    return {rule.name: rule for rule in ruleset.rules}


def _in_force(now: RuleSet, rule: Rule, above: Mapping[str, WordClass]) -> dict[str, Node]:
    """The word classes in force at a rule once those of `above` came in, of one name the last that stands above it."""
    own = {one.name: one for one in now.entries if isinstance(one, WordClass) and one.line < rule.line}
    came = {name: one for name, one in above.items() if name not in own or own[name].line < one.line}
    return {name: one.tree for name, one in {**own, **came}.items()}


def _defined_again(now: RuleSet, above: Mapping[str, WordClass]) -> list[WordClass]:
    """The definitions that say once more what one of `above` says already."""
    classes = [one for one in now.entries if isinstance(one, WordClass) and one.name in above]
    only = [one for one in classes if sum(other.name == one.name for other in classes) == 1]
    return [one for one in only if one.tree == above[one.name].tree and one.line > above[one.name].line]
