"""Models: from a folder that training wrote, or from rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.errors import InputError
from re2nn_core.files import checked_path
from re2nn_core.rules.logic.label_logic import read_logic_file
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.services.rule_systems.classification.sources import logic_in_toml
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.sources import captures_in
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.task import Task, read_task
from re2nn_core.text.given_texts import shown_value
from re2nn_core.text.tokenization import Tokenization

Model = LabelModel | SlotModel
_LONGEST_PATH = 4096
_FILE_ENDINGS = (".txt", ".toml", ".rules")
_SIGNS_OF_RULES = frozenset("=$()|<>*")  # hardly in a path, and in nearly every rule


def load(folder: Path | str) -> Model:
    """The model of a folder that training, `save` or the application wrote. ModelError says what is missing or
    damaged, or of another version."""
    from re2nn_core.network.model_folder import task_of_model

    path = checked_path(folder, "The folder of a model")
    readers: dict[Task, Callable[[Path], Model]]
    readers = {Task.CLASSIFICATION: network_of_folder, Task.SLOT_FILLING: tagger_of_folder}
    return readers[task_of_model(path)](path)


def from_pretrained(folder: Path | str) -> Model:
    """`load`, by the name that Hugging Face's libraries use; a folder on this machine, nothing is downloaded."""
    return load(folder)


def network_of_folder(folder: Path) -> LabelModel:
    """The model for labels of a folder, with the rules that it brings. ModelError."""
    from re2nn_core.network.classification.bundle import load_bundle

    bundle = load_bundle(folder)
    system = RuleSystem(bundle.ruleset, bundle.logic, bundle.tokenization, bundle.rules_text, bundle.logic_text)
    return LabelModel(system, bundle)


def tagger_of_folder(folder: Path) -> SlotModel:
    """The model for slots of a folder, with the rules that it brings. ModelError."""
    from re2nn_core.network.slot_filling.bundle import load_tagger

    bundle = load_tagger(folder)
    parts = bundle.parts
    system, _ = read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)
    return SlotModel(system, bundle)


def compile(
    rules: str | Path,
    *,
    logic: str | Path | None = None,
    tokenizer: str | Tokenization = "whitespace",
    lowercase: bool = True,
    task: Task | str | None = None,
) -> Model:
    """A model of rules, which predicts as they do: for slots where a rule captures a word, else for labels.

    `rules` and `logic` (label logic, or priorities between slots) are texts, or paths of files. InputError for a file
    that cannot be read; RuleError or LogicError with every error in them.
    """
    tokenization = _tokenization_of(tokenizer, lowercase)
    text, file = _text_of(rules, "rules", "a rule file")
    captures = captures_in(text, file, tokenization)
    kind = read_task(task) if task is not None else Task.SLOT_FILLING if captures else Task.CLASSIFICATION
    if kind is Task.CLASSIFICATION and captures:
        raise InputError(
            f"{file}: the rules capture words for slots, and a model for labels was asked for. "
            "Leave the task out, use RuleTagger in scikit-learn, or write the rules without [ ... ]<slot>."
        )
    if kind is Task.CLASSIFICATION and isinstance(logic, Path):
        read = read_rules(text, file=file, lowercase=lowercase)
        found = read_logic_file(logic, read.ruleset)
        written = logic_in_toml(read_text_file(logic, "a file of label logic"), logic)
        return LabelModel(RuleSystem(read.ruleset, found, tokenization, text, written))
    logic_text, logic_file = ("", "logic") if logic is None else _text_of(logic, "logic", "a file of priorities")
    if kind is Task.CLASSIFICATION:
        return LabelModel(read_system(text, logic_text, tokenization, rules_file=file, logic_file=logic_file)[0])
    return SlotModel(read_slot_system(text, logic_text, tokenization, rules_file=file, logic_file=logic_file)[0])


def _tokenization_of(tokenizer: str | Tokenization, lowercase: bool) -> Tokenization:
    if isinstance(tokenizer, Tokenization):
        return tokenizer
    try:
        return Tokenization(tokenizer, lowercase)  # type: ignore[arg-type]  # it refuses others
    except ValueError as error:
        raise InputError(f"The {error}.") from None


def checked_model(given: object, call: str) -> Model:
    """The model that a function was given; `call` is how it is called. InputError for anything else."""
    if isinstance(given, LabelModel | SlotModel):
        return given
    read = "load(folder)" if isinstance(given, str | Path) else "compile(rules)"
    raise InputError(
        f"{call.partition('(')[0]} takes a model (got {shown_value(given)}). Write {call.replace('model', read, 1)}."
    )


def _text_of(given: str | Path, name: str, what: str) -> tuple[str, str]:
    """A text and what messages call its file. InputError."""
    if isinstance(given, Path):
        return (read_rule_text(given) if name == "rules" else read_text_file(given, what)), str(given)
    if not isinstance(given, str):
        raise InputError(
            f"{name} is neither a text nor a path (got {shown_value(given)}). "
            f'Give a string, or {name}=Path("{name}.txt") to read a file.'
        )
    if given and "\n" not in given and len(given) < _LONGEST_PATH:
        if os.path.isfile(given):
            raise InputError(
                f'{name} is the path of a file, as a string. Write {name}=Path("{given}") to read the file.'
            )
        if given.strip().lower().endswith(_FILE_ENDINGS) and not _SIGNS_OF_RULES & set(given):
            raise InputError(
                f'{name} is "{given}", which looks like the path of {what}, and there is no such file. '
                f"Write {name}=Path(...) with the path of a file, or give the text of the {name}."
            )
    return given, f"<{name}>"
