"""Sentences that each rule must match, and must not match: a table a rule, in TOML, beside the rules.

    [from_to]
    must = ["Boston to Denver"]
    must_not = ["I love Denver"]

For slots a sentence may say which words fill which (see marked_text.py): must = ["to [Oslo]<to_city>"].
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from re2nn_core.errors import InputError
from re2nn_core.files import read_toml

Kind = Literal["must", "must_not"]
KINDS: tuple[Kind, ...] = ("must", "must_not")
LONGEST = 2_000
_ADVICE = 'Write [rule_name] and below it must = ["..."] and must_not = ["..."].'


@dataclass(frozen=True)
class RuleSentences:
    """The sentences of one rule, in the order in which they were written."""

    rule: str
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    def of(self, kind: Kind) -> tuple[str, ...]:
        return self.must if kind == "must" else self.must_not

    def __len__(self) -> int:
        return len(self.must) + len(self.must_not)


Sentences = tuple[RuleSentences, ...]


def read_sentences(text: str, file: str = "the rules' sentences") -> Sentences:
    """The sentences of a file. InputError with every fault in it."""
    try:
        tables = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file} cannot be read as TOML: {error}. {_ADVICE}") from error
    faults: list[str] = []
    found = tuple(_rules("", tables, faults))
    if faults:
        raise InputError("\n".join(f"{file}: {fault}" for fault in faults))
    return tuple(rule for rule in found if len(rule))


def holds_sentences(text: str) -> bool:
    """Whether a text is a file of such sentences, faults in them or not."""
    try:
        tables = read_toml(text)
    except tomllib.TOMLDecodeError:
        return False
    return any(isinstance(table, dict) and any(kind in table for kind in KINDS) for table in tables.values())


def refuse_sentences(text: str, path: Path) -> None:
    """InputError for a file of sentences where another one is expected; the message says how it is checked."""
    if holds_sentences(text):
        raise InputError(
            f"{path} has sentences that rules must match. Check them with: re2nn check RULES --sentences {path}"
        )


def write_sentences(sentences: Iterable[RuleSentences]) -> str:
    """The sentences as TOML, from which `read_sentences` makes the same."""
    return "\n".join(_table(rule) for rule in sentences if len(rule))


def sentences_of(sentences: Sentences, rule: str) -> RuleSentences:
    """Those of one rule; empty where it has none."""
    return next((one for one in sentences if one.rule == rule), RuleSentences(rule))


def with_sentence(sentences: Sentences, rule: str, kind: Kind, sentence: str) -> Sentences:
    """One more, behind those of its rule. InputError where it cannot be one, or stands there already."""
    sentence = " ".join(sentence.split("\n")).strip()
    own = sentences_of(sentences, rule)
    if (fault := _fault(sentence)) is not None:
        raise InputError(f"The sentence for rule '{rule}' {fault}.")
    for there in KINDS:
        if sentence in own.of(there):
            raise InputError(f"Rule '{rule}' {_SAYS[there]} {quoted_sentence(sentence)} already. Take that out first.")
    return _put(sentences, _changed(own, kind, (*own.of(kind), sentence)))


def without_sentence(sentences: Sentences, rule: str, kind: Kind, sentence: str) -> Sentences:
    """The same without one of them."""
    own = sentences_of(sentences, rule)
    return _put(sentences, _changed(own, kind, tuple(one for one in own.of(kind) if one != sentence)))


def without_rule(sentences: Sentences, rule: str) -> Sentences:
    """The same without those of a rule."""
    return tuple(one for one in sentences if one.rule != rule)


def moved_to(sentences: Sentences, rule: str, target: str) -> Sentences:
    """The sentences of a rule given to another one, behind its own; what that one has already is left out."""
    old, own = sentences_of(sentences, rule), sentences_of(sentences, target)
    there = {*own.must, *own.must_not}
    must, must_not = (tuple(one for one in old.of(kind) if one not in there) for kind in KINDS)
    merged = RuleSentences(target, own.must + must, own.must_not + must_not)
    return _put(without_rule(sentences, rule), merged)


def quoted_sentence(sentence: str) -> str:
    """A sentence as messages show it."""
    return f"\u201c{sentence}\u201d"


def toml_string(text: str) -> str:
    """A text as TOML writes one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


_SAYS: dict[Kind, str] = {"must": "must match", "must_not": "must not match"}


def _changed(own: RuleSentences, kind: Kind, now: tuple[str, ...]) -> RuleSentences:
    return replace(own, must=now) if kind == "must" else replace(own, must_not=now)


def _put(sentences: Sentences, own: RuleSentences) -> Sentences:
    if any(one.rule == own.rule for one in sentences):
        sentences = tuple(own if one.rule == own.rule else one for one in sentences)
    else:
        sentences = (*sentences, own)
    return tuple(one for one in sentences if len(one))


def _rules(name: str, table: Mapping[str, Any], faults: list[str]) -> Iterator[RuleSentences]:
    """The rules in a table; a name with dots and without quotes is tables within tables to TOML."""
    lists = {kind: table[kind] for kind in KINDS if kind in table and not isinstance(table[kind], dict)}
    if name and lists:
        must, must_not = (_sentences(name, kind, lists.get(kind, []), faults) for kind in KINDS)
        for both in sorted({*must} & {*must_not}):
            faults.append(f"rule '{name}' must match {quoted_sentence(both)} and must not. Take one of the two out.")
        yield RuleSentences(name, must, must_not)
    for key, value in table.items():
        if name and key in lists:
            continue
        if not isinstance(value, dict):
            where = f"in [{name}] " if name else ""
            faults.append(f"{where}{key} is not expected. {_ADVICE}")
            continue
        yield from _rules(f"{name}.{key}" if name else key, value, faults)


def _sentences(rule: str, kind: Kind, given: Any, faults: list[str]) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        faults.append(f"{kind} of rule '{rule}' must be a list of sentences in quotes, such as [\"to Oslo\"].")
        return ()
    for place, one in enumerate(given, start=1):
        if (fault := _fault(one)) is not None:
            faults.append(f"sentence {place} in {kind} of rule '{rule}' {fault}.")
    return tuple(dict.fromkeys(one.strip() for one in given))


def _fault(sentence: str) -> str | None:
    if not sentence.strip():
        return "is empty; write at least one word"
    if len(sentence) > LONGEST:
        return f"has {len(sentence):,} characters; at most {LONGEST:,} are kept"
    if any(sign in sentence for sign in "\n\r\x00"):
        return "has more than one line, or a NUL; write it on one line"
    return None


def _table(rule: RuleSentences) -> str:
    lists = "".join(_list(kind, rule.of(kind)) for kind in KINDS if rule.of(kind))
    return f"[{_key(rule.rule)}]\n{lists}"


def _list(kind: Kind, sentences: tuple[str, ...]) -> str:
    return f"{kind} = [\n" + "".join(f"    {toml_string(one)},\n" for one in sentences) + "]\n"


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else toml_string(name)
