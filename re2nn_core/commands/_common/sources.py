"""What a command works on: rules from files, a model, or both, and the task that they are for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from re2nn_core.commands._common.options import Command
from re2nn_core.errors import InputError
from re2nn_core.task import Task, by_task, read_task
from re2nn_core.text.tokenization import Tokenization


class _Bundle(Protocol):
    @property
    def tokenization(self) -> Tokenization: ...


_LOGIC_ALONE = "--logic belongs to rules: write --rules FILE too, or leave it out."
System = TypeVar("System")
Model = TypeVar("Model", bound=_Bundle)


@dataclass(frozen=True)
class Sources:
    """The options --rules, --logic, --model, --task, --ignore-slot-case and those of tokenization, as given."""

    rules: Path | None = None
    logic: Path | None = None
    model: Path | None = None
    tokenization: Tokenization | None = None
    given_task: str | None = None
    ignore_slot_case: bool = False

    @property
    def task(self) -> Task:
        """The task of the model, the one that was given, or that of the rules."""
        return find_task(self.given_task, self.rules, self.model, self.tokenization)

    def tokenization_of(self, bundle: _Bundle | None) -> Tokenization | None:
        """That of the model, or the one that was given."""
        return self.tokenization if bundle is None else bundle.tokenization


def with_sources(function: Command) -> Command:
    """The command with its options of `Sources` handed on together as `sources`."""

    @functools.wraps(function)
    def wrapped(
        *,
        rules_path: Path | None = None,
        logic_path: Path | None = None,
        model: Path | None = None,
        tokenization: Tokenization | None = None,
        task: str | None = None,
        ignore_slot_case: bool = False,
        **rest: Any,
    ) -> Any:
        sources = Sources(rules_path, logic_path, model, tokenization, task, ignore_slot_case)
        return function(sources=sources, **rest)

    return wrapped


def rules_of(
    sources: Sources,
    bundle: Model | None,
    *,
    of_files: Callable[[Path, Path | None, Tokenization | None], System],
    of_model: Callable[[Model], System],
) -> System:
    """The rules of files, or of a model. A model brings its own rules where none are given.
    InputError where neither is given, or logic without rules."""
    if sources.rules is not None:
        return of_files(sources.rules, sources.logic, sources.tokenization_of(bundle))
    if bundle is None:
        raise InputError("Neither rules nor a model were given. Write --rules FILE, or --model DIR.")
    if sources.logic is not None:
        raise InputError(_LOGIC_ALONE)
    return of_model(bundle)


def text_without_rules(sources: Sources) -> str | None:
    """The text of a rule file with comments alone, empty where no file was given; None for one that has more.
    InputError for label logic without a rule file."""
    from re2nn_core.rules.source import logical_lines
    from re2nn_core.rules.word_lists.content import read_rule_text

    if sources.rules is None:
        if sources.logic is not None:
            raise InputError(_LOGIC_ALONE)
        return ""
    text = read_rule_text(sources.rules)
    comments = all(line.text.lstrip("\ufeff \t").startswith("//") for line in logical_lines(text))
    return text if comments else None


def find_task(
    given: str | None, rules_path: Path | None, model: Path | None = None, tokenization: Tokenization | None = None
) -> Task:
    """`classification` or `slots`: the task of the model, the one that was given, or that of the rules.
    InputError where they contradict each other."""
    from re2nn_core.services.rule_systems.slot_filling.sources import captures_words

    of_model = None if model is None else _task_of_model(model)
    if given is not None and of_model not in (None, given):
        raise InputError(f"{model} is a model for {(of_model or read_task(given)).in_words}. Leave --task {given} out.")
    task = of_model if given is None else read_task(given)
    if rules_path is None or given is not None:
        return task or Task.CLASSIFICATION
    of_rules = Task.SLOT_FILLING if captures_words(rules_path, tokenization or Tokenization()) else Task.CLASSIFICATION
    if of_model is not None and of_model != of_rules:
        captures = by_task(
            of_rules, classification="captures no word, for labels", slot_filling="captures words, for slots"
        )
        raise InputError(
            f"{rules_path} {captures}, and {model} is a model for {of_model.in_words}. "
            "Give a model and rules of one task."
        )
    return of_rules


def _task_of_model(folder: Path) -> Task:
    from re2nn_core.network.model_folder import task_of_model  # loads torch, which rules do without

    return task_of_model(folder)
