"""The parts of the guide that are generated: command line and settings. `--write` writes them.

python tests/architecture/guide_reference.py --write
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import click

from re2nn_core.cli import COMMANDS, main
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import RecurrenceConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.training.config import TrainConfig

TOPICS = Path(__file__).resolve().parents[2] / "re2nn_core" / "guide" / "topics"
# As `re2nn COMMAND --help` is called, whatever called the command before.
_CONTEXT = {"terminal_width": 100, "max_content_width": 100, "help_option_names": ["-h", "--help"]}
_SETTINGS = (
    ("Training", TrainConfig, None),
    ("Network, labels and slots", RecurrenceConfig, None),
    ("Network, labels only", NetworkConfig, RecurrenceConfig),
    ("Network, slots only", TaggerConfig, RecurrenceConfig),
)


def command_line() -> str:
    """The topic command-line: what `--help` of every command prints."""
    parts = [
        "# Command line",
        "`re2nn COMMAND --help` prints what is listed here. All commands take `--json`: stdout holds one JSON object.\n"
        "Exit code 0: success; 1: the result is negative; 2: wrong usage or unusable input; 130: interrupted.",
    ]
    commands = {name: main.get_command(click.Context(main), name) for name in COMMANDS}
    rows = [f"| `re2nn {name}` | {found.get_short_help_str(200)} |" for name, found in commands.items() if found]
    parts.append("\n".join(["| command | |", "| --- | --- |", *rows]))
    for name, command in commands.items():
        assert command is not None
        parts.extend(_command(f"re2nn {name}", command))
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name, **_CONTEXT)
    yield f"## {name}\n\n```\n{command.get_help(context).rstrip()}\n```"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            # Experiments have every setting as an option, which the topic "settings" lists once.
            if name == "re2nn experiment":
                yield f"### {name} {inner}\n\n{found.get_short_help_str(400)} Options: `{name} {inner} --help`."
            else:
                yield from _command(f"{name} {inner}", found)


def settings() -> str:
    """The topic settings: what each setting of training and network means, from the docstrings of its class."""
    parts = [
        "# Settings",
        "Nothing has to be set: the training plan chooses. Each setting is an option of `re2nn train` with hyphens\n"
        "(`--learning-rate`), and an input under *All settings* on **Fine-tune**.",
    ]
    for title, kind, above in _SETTINGS:
        rows = "\n".join(f"| `{name}` | {default} | {meaning} |" for name, default, meaning in _rows(kind, above))
        parts.append(f"## {title}\n\n| setting | default | meaning |\n| --- | --- | --- |\n{rows}")
    return "\n\n".join(parts) + "\n"


def _rows(kind: type[Any], above: type[Any] | None) -> Iterator[tuple[str, str, str]]:
    meanings = dict(_entries(kind))
    known = {field.name for field in fields(above)} if above is not None else set()
    for field in fields(kind):
        if field.name not in known or field.name in meanings:
            default = "" if field.default is MISSING else f"`{field.default}`"
            yield field.name, default, meanings[field.name].replace("|", "\\|")


def _entries(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """Name and meaning of each entry of a docstring that is a table: names at the margin, meanings indented."""
    names = {field.name for field in fields(kind)}
    name, words = "", list[str]()
    for line in [*(inspect.getdoc(kind) or "").splitlines(), ""]:
        first, _, rest = line.partition(" ")
        if first in names or not line:
            if name:
                yield name, " ".join(words)
            name, words = (first if line else ""), [rest.strip()] if rest else []
        elif name:
            words.append(line.strip())


GENERATED = {"command-line": command_line, "settings": settings}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for topic, text in GENERATED.items():
        (TOPICS / f"{topic}.md").write_text(text(), encoding="utf-8")
