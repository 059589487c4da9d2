"""Options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from re2nn_core.errors import InputError
from re2nn_core.exchange.formats import NAMES
from re2nn_core.network.configuration.setting_titles import OPTION_NAMES
from re2nn_core.task import Task, by_task
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization
from re2nn_core.text.visible import visible

Command = Callable[..., Any]
PATH = click.Path(path_type=Path)


@dataclass(frozen=True)
class NeededTexts:
    """What a model folder that a command was given needs: texts of its own task."""

    model: Path
    task: Task

    @property
    def message(self) -> str:
        """What was given and what is needed, for texts of the other task."""
        need = by_task(
            self.task,
            classification="texts with labels (a table or JSON lines with a column of labels)",
            slot_filling="texts with spans (JSON lines, CoNLL, or a table with a column of spans)",
        )
        model, other = self.task.in_words, self.task.other.in_words
        return f"{self.model} is a model for {model}. Give it {need}, or give a model for {other}."


# Read by cli.py from the arguments themselves, because a usage error has to be JSON too.
json_option = click.option(
    "--json", "as_json", is_flag=True, expose_value=False, help="Print one JSON object instead of text."
)
logic_option = click.option(
    "--logic",
    "logic_path",
    type=PATH,
    help="Label logic, TOML or JSON: formulas, priorities, default. Without it a label is any of its rules. For slots: "
    "priorities and longest (TOML).",
)
rules_option = click.option("--rules", "rules_path", type=PATH, required=True, help="The rule file.")
predicting_rules_option = click.option(
    "--rules", "rules_path", type=PATH, help="The rule file. May be left out with --model: a model holds its rules."
)
model_option = click.option(
    "--model", type=PATH, help="Folder of a trained model. Without it: the rules, or the network equal to them."
)
machines_option = click.option(
    "--automata",
    "machines",
    type=click.Choice(["label", "rule"]),
    default="label",
    show_default=True,
    help="One automaton for each label (as published), or for each rule.",
)


@dataclass(frozen=True)
class ReadingOptions:
    """How files of texts are read; what is None is found out from the file. `predicted`: the labels are what a model
    predicts, in a column called so if there is one. `needs_columns`: without it, a column of texts that is not there is
    found out too."""

    text_column: str | None = None
    label_column: str | None = None
    file_format: str | None = None
    encoding: str | None = None
    header: bool | None = None
    all_faults: bool = False
    strip_html: bool = False
    predicted: bool = False
    needs_columns: bool = True

    @property
    def label_option(self) -> str:
        """The option that names the column of labels."""
        return "--prediction-column" if self.predicted else "--label-column"


def with_options(options: Sequence[Callable[[Command], Command]], function: Command) -> Command:
    """The command with options, told in this order by its help."""
    for option in reversed(options):
        function = option(function)
    return function


DATA_OPTIONS = ("text_column", "label_column", "encoding", "header", "strip_html", "all_faults")


def data_options(function: Command) -> Command:
    """--text-column, --label-column, --format, --encoding, --header, --strip-html and --all-faults,
    handed on as `reading`."""

    @functools.wraps(function)
    def wrapped(
        *,
        text_column: str | None,
        label_column: str | None,
        file_format: str | None,
        encoding: str | None,
        header: bool | None,
        strip_html: bool,
        all_faults: bool,
        **rest: Any,
    ) -> Any:
        reading = ReadingOptions(text_column, label_column, file_format, encoding, header, all_faults, strip_html)
        return function(reading=reading, **rest)

    from_file = "found in the file"
    options = (
        click.option(
            "--text-column", help=f"Column of the texts, or several to join, such as title,body; {from_file}."
        ),
        click.option("--label-column", help=f"Column of the labels, in CoNLL the number of that of tags; {from_file}."),
        click.option("--format", "file_format", help=f"{', '.join(NAMES)} (conll for slots only); {from_file}."),
        click.option("--encoding", help=f"Encoding of the file, such as cp1252; UTF-8 or {from_file}."),
        click.option(
            "--header/--no-header", default=None, help=f"The first row names the columns, or is a text; {from_file}."
        ),
        click.option("--strip-html", is_flag=True, help="Remove HTML tags and entities from texts with labels."),
        click.option("--all-faults", is_flag=True, help="List every row that is left out, not one of each kind."),
    )
    return with_options(options, wrapped)


def tokenization_options(function: Command) -> Command:
    """--tokenizer and --no-lowercase, handed on as `tokenization`; None where neither was given."""

    @click.option("--no-lowercase", is_flag=True, help="Distinguish upper and lower case in texts and rules.")
    @click.option(
        "--tokenizer",
        type=click.Choice(TOKENIZER_KINDS),
        help="Split at white space; split off punctuation; make each Chinese character a token too; split words into "
        "parts too (Rome 's, Rome - based, 5 kg); or segment Chinese (jieba, an extra). [default: whitespace]",
    )
    @functools.wraps(function)
    def wrapped(*, tokenizer: Any, no_lowercase: bool, **rest: Any) -> Any:
        given = tokenizer is not None or no_lowercase
        chosen = Tokenization(tokenizer or "whitespace", lowercase=not no_lowercase) if given else None
        return function(tokenization=chosen, **rest)

    return wrapped


task_option = click.option(
    "--task",
    type=click.Choice([task.value for task in Task]),
    help="Labels of whole texts, or slots: spans in them. [default: slots where the rules capture or tag words]",
)
transducer_option = click.option(
    "--transducer",
    type=click.Choice(["positions", "ifst"]),
    help="Slots only: a state for each place in a rule, or the minimal transducer made independent. "
    "[default: positions]",
)
slot_case_option = click.option(
    "--ignore-slot-case",
    is_flag=True,
    help="Slots only: small and capital letters make no other slot; rules and data spell it as the data do first.",
)


def refuse_given(task: Task, *names: str) -> None:
    """InputError for options that were written though they say nothing for the task."""
    if options := given_options(*names):
        raise InputError(f"{options}: this option has no effect for {task.in_words}, the task here. Leave it out.")


def has_option(name: str) -> bool:
    """Whether the command that runs now has an option of this name."""
    return any(one.name == name for one in click.get_current_context().command.params)


def given_options(*names: str) -> str:
    """Those of some options that were written, in words; empty where none was."""
    context = click.get_current_context()
    return written_options(name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE)


def written_options(settings: Iterable[str]) -> str:
    """The options of these settings as they are typed: `--members and --automata`."""
    return " and ".join(f"--{OPTION_NAMES.get(name, name).replace('_', '-')}" for name in settings)


def note(message: str) -> None:
    """Progress or a warning, to stderr, so that stdout holds the prediction alone."""
    click.echo(visible(message), err=True)
