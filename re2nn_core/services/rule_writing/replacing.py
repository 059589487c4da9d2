"""Words of rules found and replaced, place by place. Names of labels, rules and classes, and label logic, which names
them, stay as they are: they are renamed (renaming.py). Word lists keep their entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.rules.lexer import TOKEN, rule_tokens
from re2nn_core.rules.read import expression_start
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.rules.word_lists.definition import with_lists, without_lists
from re2nn_core.services.rule_systems.rule_switches import OFF


@dataclass(frozen=True)
class Place:
    """Characters [start, end) of a line of the rules, which counts from 1 and reads `text`."""

    line: int
    start: int
    end: int
    text: str


def find_words(rules_text: str, wanted: str) -> tuple[Place, ...]:
    """Where the expressions of rules and classes have these words, whole and one after the other; in rules that are
    switched off too, and never in comments."""
    words = rule_tokens(wanted)
    if not words:
        return ()
    return tuple(place for line in _expressions(without_lists(rules_text)[0]) for place in _places(*line, words))


def replace_words(rules_text: str, places: Sequence[Place], instead: str) -> str:
    """The rules with other words at places that were found in them."""
    shown, kept = without_lists(rules_text)
    lines = split_lines(shown)
    for place in sorted(places, key=lambda one: (one.line, one.start), reverse=True):
        line = lines[place.line - 1]
        lines[place.line - 1] = f"{line[: place.start]}{instead.strip()}{line[place.end :]}"
    return with_lists("\n".join(lines), kept)


def place_from(places: Sequence[Place], line: int) -> Place | None:
    """The first place from a line on, the first of all where there is none behind it; None without places."""
    return next((place for place in places if place.line >= line), places[0] if places else None)


def replace_next(rules_text: str, wanted: str, instead: str, line: int) -> tuple[str, int]:
    """The rules with other words at the first place from a line on, and the line of the next place. What was put in is
    not found again, though it may have these words among its own. Rules without such a place stay as they are."""
    here = place_from(find_words(rules_text, wanted), line)
    if here is None:
        return rules_text, line
    replaced = replace_words(rules_text, [here], instead)
    end = here.start + len(instead.strip())
    behind = (one for one in find_words(replaced, wanted) if (one.line, one.start) >= (here.line, end))
    return replaced, next((one.line for one in behind), here.line + 1)


def _expressions(shown: str) -> Iterator[tuple[int, str, int]]:
    """Each line that has a part of an expression, with its number and where the expression begins in it."""
    lines = split_lines(shown)
    # A rule that is switched off is read as if it were on, its sign made blank so that places stay.
    on = "\n".join(" " * len(OFF) + line[len(OFF) :] if line.startswith(OFF) else line for line in lines)
    for logical in logical_lines(on):
        start = expression_start(logical.text)
        if start is not None:
            for number in range(len(logical.sources)):
                yield logical.number + number, lines[logical.number + number - 1], 0 if number else start


def _places(number: int, line: str, start: int, words: Sequence[str]) -> Iterator[Place]:
    if line.startswith(OFF):
        start = max(start, len(OFF))
    found = [token for token in TOKEN.finditer(line, start) if not token.group().startswith("//")]
    at = 0
    while at + len(words) <= len(found):
        piece = found[at : at + len(words)]
        if [token.group() for token in piece] == list(words):
            yield Place(number, piece[0].start(), piece[-1].end(), line)
            at += len(words)
        else:
            at += 1
