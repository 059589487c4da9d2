"""Label logic as a TOML or JSON file, and back.

    default = "flight"                              the label of a sentence that no other label fits
    labels = ["flight", "airfare"]                  the order in which labels win ties
    priorities = ["ground_fare > ground_service"]   of two labels that both fit, the first wins
    logic = ["(m1 | m2) & !m3 -> flight"]           what a label needs; without one, any of its rules
    first = ["m4 -> flight"]                        where one of these is true, no other formula counts

Each key may be left out. Every fault of the file is reported at once.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from re2nn_core.errors import InputError, LogicError
from re2nn_core.files import read_toml
from re2nn_core.rules.logic.decisions import LabelLogic, default_logic, find_circle
from re2nn_core.rules.logic.first import deciding_first, first_apart, without_facts
from re2nn_core.rules.logic.formula_parser import parse_formula
from re2nn_core.rules.logic.formulas import NEVER, Formula, print_formula
from re2nn_core.rules.logic.logic_source import Item, LogicSource
from re2nn_core.rules.names import LABEL, LABEL_ADVICE, did_you_mean
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.sentences import refuse_sentences
from re2nn_core.rules.text_file import read_text_file

LogicFormat = Literal["toml", "json"]

KEYS = ("default", "labels", "priorities", "first", "logic")
_FORMATS: dict[str, LogicFormat] = {".toml": "toml", ".json": "json"}
_EXAMPLES = {"labels": '["a", "b"]', "priorities": '["a > b"]', "logic": '["m1 & !m2 -> a"]', "first": '["m1 -> a"]'}


def read_logic_file(path: str | Path, ruleset: RuleSet) -> LabelLogic:
    """The label logic of a .toml or .json file; InputError where there is none, LogicError for its faults."""
    path = Path(path)
    text = read_text_file(path, "a file of label logic")
    refuse_sentences(text, path)
    format_of_file = _FORMATS.get(path.suffix.lower())
    if format_of_file is None:
        raise InputError(f"{path}: label logic must be a .toml or .json file. Rename the file.")
    return read_logic(text, ruleset, format=format_of_file, file=str(path))


def read_logic(
    text: str, ruleset: RuleSet, *, format: LogicFormat, file: str = "<logic>", labels: Sequence[str] = ()
) -> LabelLogic:
    """The label logic of a text for the rules of a rule set; LogicError with every fault in it. `labels` come first,
    and are known also where no rule has them."""
    source = LogicSource(text, file)
    values = _load(text, format, source)
    logic = _Reader(source, ruleset, labels).read(values) if not source.faults else None
    if logic is None:
        raise LogicError(sorted(source.faults, key=lambda fault: (fault.line, fault.column)))
    return logic


def _load(text: str, format: LogicFormat, source: LogicSource) -> dict[str, object]:
    """The keys and values of the file; nothing, and a fault, where it is no TOML or JSON."""
    twice: list[str] = []

    def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        twice.extend(key for key in dict.fromkeys(keys) if keys.count(key) > 1)
        return dict(pairs)

    values: object = None
    try:
        values = read_toml(text) if format == "toml" else json.loads(text, object_pairs_hook=each_once)
    except tomllib.TOMLDecodeError as error:
        source.faults.append(source.toml_fault(str(error)))
    except json.JSONDecodeError as error:
        source.faults.append(source.json_fault(error))
    except (RecursionError, ValueError):  # lists inside lists, or a number of thousands of digits
        source.fault_at(0, 1, "the file is not label logic", f"Its keys are {', '.join(KEYS)}.")
    for key in twice:
        source.fault_at_key(key, f"'{key}' is in the file twice", "Join the two.")
    if isinstance(values, dict):
        return values
    if not source.faults:
        source.fault_at(0, 1, "the file holds no keys", 'Write an object: {"default": "flight", "logic": []}.')
    return {}


class _Reader:
    """Checks one file against one rule set; faults go to the source, which knows their places."""

    def __init__(self, source: LogicSource, ruleset: RuleSet, known_labels: Sequence[str]) -> None:
        self.source, self.ruleset, self.known_labels = source, ruleset, known_labels
        self.rule_names = [rule.name for rule in ruleset.rules]

    def read(self, values: dict[str, object]) -> LabelLogic | None:
        """The label logic; None where there is a fault."""
        for key in values:
            if key not in KEYS:
                self.source.fault_at_key(key, f"there is no setting '{key}'", did_you_mean(key, KEYS, "setting"))
        formulas, first = (self.formulas(self.items(values, key)) for key in ("logic", "first"))
        default = self.default(values.get("default"))
        labels = self.labels(self.items(values, "labels"), [*formulas, *first], default)
        pairs = self.priorities(self.items(values, "priorities"), labels)
        if self.source.faults:
            return None
        by_rules = default_logic(self.ruleset)
        of_rules = dict(zip(by_rules.labels, by_rules.formulas, strict=True))
        chosen = tuple(
            without_facts(formulas.get(label, of_rules.get(label, NEVER)), first.get(label)) for label in labels
        )
        return deciding_first(LabelLogic(tuple(labels), chosen, tuple(pairs), default), first)

    def default(self, value: object) -> str | None:
        if value is None or (isinstance(value, str) and LABEL.fullmatch(value)):
            return value
        advice = f'Write one label: default = "flight". {LABEL_ADVICE}'
        self.source.fault_at_key("default", "the default is no label", advice)
        return None

    def items(self, values: dict[str, object], key: str) -> list[Item]:
        """The texts of a list with their places; empty where it is missing or no such list."""
        value = values.get(key, [])
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return self.source.items(key, value)
        advice = f"Write it as {key} = {_EXAMPLES[key]}."
        self.source.fault_at_key(key, f"'{key}' is no list of texts", advice)
        return []

    def labels(self, items: list[Item], formulas: Sequence[str], default: str | None) -> list[str]:
        """All labels in their order; faults for a list that leaves some out or has one twice."""
        own = [*self.ruleset.labels, *formulas, *([default] if default else [])]
        needed = dict.fromkeys([*self.known_labels, *own])
        if not items:
            return list(needed)
        listed: dict[str, None] = {}
        for item in items:
            if not LABEL.fullmatch(item.text):
                self.source.fault_in(item, f"'{item.text}' cannot be a label", LABEL_ADVICE)
            elif item.text in listed:
                message = f"the label '{item.text}' is in the list twice"
                self.source.fault_in(item, message, "Remove one of the two.")
            listed[item.text] = None
        missing = [label for label in needed if label not in listed]
        if missing:
            message = f"'labels' leaves out {', '.join(missing)}"
            self.source.fault_at_key("labels", message, "List every label, or leave 'labels' out altogether.")
        return [*listed, *missing]

    def formulas(self, items: list[Item]) -> dict[str, Formula]:
        """The formula of each label that has one."""
        formulas: dict[str, Formula] = {}
        for item in items:
            left, arrow, right = item.text.rpartition("->")
            label = right.strip()
            if not arrow or not label:
                advice = "Write -> and the label behind it: m1 & !m2 -> flight."
                self.source.fault_in(item, "the formula does not say which label it is for", advice)
                continue
            formula, problems = parse_formula(left, self.rule_names)
            for found in problems:
                self.source.fault_in(item, found.message, found.advice, found.offset, found.width)
            place = len(item.text) - len(right.lstrip())
            if label in formulas:
                message = f"the label '{label}' has a formula already"
                self.source.fault_in(item, message, "Join the two with |.", place, len(label))
            elif not LABEL.fullmatch(label):
                self.source.fault_in(item, f"'{label}' cannot be a label", LABEL_ADVICE, place, len(label))
            formulas.setdefault(label, formula)
        return formulas

    def priorities(self, items: list[Item], labels: Sequence[str]) -> list[tuple[str, str]]:
        """The pairs (stronger, weaker); `a > b > c` gives two."""
        pairs: list[tuple[str, str]] = []
        for item in items:
            names = [name.strip() for name in item.text.split(">")]
            if len(names) < 2:
                advice = "Write the stronger label first: airfare > flight."
                self.source.fault_in(item, "this is no priority", advice)
            elif self.all_labels(item, labels):
                pairs.extend(zip(names, names[1:], strict=False))
        if circle := find_circle(pairs):
            message = f"the priorities form a cycle: {' > '.join(circle)}"
            advice = "Remove one of them, so that some label is the strongest."
            self.source.fault_at_key("priorities", message, advice)
        return list(dict.fromkeys(pairs))

    def all_labels(self, item: Item, labels: Sequence[str]) -> bool:
        """True where each name of a priority is a label; a fault for each that is none."""
        offset, fine = 0, True
        for name in item.text.split(">"):
            label = name.strip()
            if label not in labels:
                fine = False
                message = f"there is no label '{label}'" if label else "a label is missing here"
                place = offset + len(name) - len(name.lstrip())
                advice = did_you_mean(label, labels, "label")
                self.source.fault_in(item, message, advice, place, len(label))
            offset += len(name) + 1
        return fine


def write_logic(logic: LabelLogic) -> str:
    """Label logic as TOML, from which `read_logic` makes the same.

    A label whose formula is NEVER has none in the file, which means NEVER where it has no rules.
    """
    first, logic = first_apart(logic)
    lines = [] if logic.default is None else [f"default = {_quoted(logic.default)}"]
    lines += _list("labels", logic.labels)
    lines += _list("priorities", [f"{stronger} > {weaker}" for stronger, weaker in logic.priorities])
    if first:
        lines += _list("first", [f"{print_formula(rule)} -> {label}" for label, rule in first.items()])
    # What predicts first stands twice where it is all that a label has: its other rules do not count then.
    full = [first.get(label, NEVER) if f == NEVER else f for label, f in zip(logic.labels, logic.formulas, strict=True)]
    written = zip(full, logic.labels, strict=True)
    lines += _list("logic", [f"{print_formula(rule)} -> {label}" for rule, label in written if rule != NEVER])
    return "\n".join(lines) + "\n"


def _list(key: str, texts: Sequence[str]) -> list[str]:
    return [f"{key} = [", *(f"    {_quoted(text)}," for text in texts), "]"]


def _quoted(text: str) -> str:
    """A TOML string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False)
