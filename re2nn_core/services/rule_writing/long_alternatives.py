"""Long rows of alternatives, as people paste them into a rule, made into word lists.

    @city@=( boston | denver | new york ... )     @city@ = file("city.txt")
    fly := $* to ( boston | denver ... ) $*       fly := $* to @fly@ $*    below    @fly@ = file("fly.txt")

Rules with the list match the same texts. Alternatives that the tokenizers of projects cut in several ways are left as
they stand, since a list would read all of these ways.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from re2nn_core.rules.names import name_with_number
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.rules.word_lists.definition import ListName, keep_entries, lists_in, with_lists, without_lists
from re2nn_core.rules.word_lists.expansion import ways_of
from re2nn_core.services.rule_writing.word_alternatives import word_groups
from re2nn_core.services.rule_writing.word_lists import DEFINED, NO_NAME_SIGN
from re2nn_core.text.word_form import word_form

MANY = 200  # alternatives; as many as one sees through in an editor are no list
_CLASS = re.compile(r"\s*@([^@\s]+)@\s*=\s*")
_NAMED = re.compile(r"\s*([\w.+\-/]+)\s*:=")


@dataclass(frozen=True)
class LongAlternatives:
    """A group of so many words and phrases; `line` of the rules, from 1, is where its class or rule begins. `start` and
    `end`: its characters in that logical line."""

    line: int
    entries: tuple[str, ...]
    start: int
    end: int


def long_alternatives(rules_text: str, *, lowercase: bool) -> LongAlternatives | None:
    """The first long row of alternatives that can be a word list; None where there is none."""
    for line in logical_lines(without_lists(rules_text)[0]):
        if line.text.count("|") + 1 >= MANY:
            for start, end, options in word_groups(line, MANY):
                if all(_is_one_way(words, lowercase=lowercase) for words in options):
                    entries = tuple(dict.fromkeys(" ".join(words) for words in options))
                    return LongAlternatives(line.number, entries, start, end)
    return None


def as_word_list(rules_text: str, *, lowercase: bool) -> str:
    """The rules with the first long row of alternatives as a word list; as they are where there is none."""
    found = long_alternatives(rules_text, lowercase=lowercase)
    if found is None:
        return rules_text
    shown, kept = without_lists(rules_text)
    lines = split_lines(shown)
    line = next(one for one in logical_lines(shown) if one.number == found.line)
    written = "\n".join(line.sources)  # as long as the logical line
    before, behind = written[: found.start], written[found.end :]
    defined = _CLASS.match(written)
    alone = defined is not None and defined.end() == found.start and _is_aside(behind)
    named = defined or _NAMED.match(written)
    stem = NO_NAME_SIGN.sub("_", named[1] if named else "list").strip("_.") or "list"
    paths = {name.path for name, _ in lists_in(shown)}
    path = ListName(f"{name_with_number(stem, {one.removesuffix('.txt') for one in paths})}.txt")
    own = named[1] if alone and named else name_with_number(stem, {*DEFINED.findall(shown)})
    use = str(path) if alone else f"@{own}@"
    lines[found.line - 1 : found.line - 1 + len(line.sources)] = [before + use + behind]
    text = "\n".join(lines) if alone else "\n".join([f"@{own}@ = {path}", *lines])
    return with_lists(text, {**kept, path: keep_entries(found.entries)})


def _is_one_way(words: tuple[str, ...], *, lowercase: bool) -> bool:
    """Whether a list reads the words as the rule does, and in no other way."""
    read = tuple(word_form(word, lowercase=lowercase) for word in words)
    return {*ways_of(" ".join(words), lowercase=lowercase)} == {read}


def _is_aside(text: str) -> bool:
    """Whether there is nothing, or a comment alone."""
    return not text.strip() or text.lstrip().startswith("//")
