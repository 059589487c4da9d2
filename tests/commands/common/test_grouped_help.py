"""Commands with many options list them in groups, and no option is lost on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from support.command_line import Call

from re2nn_core.cli import COMMANDS, KINDS, main
from re2nn_core.commands._common.grouped_help import GROUPS, GroupedCommand, long_name

MOST_IN_ONE_LIST = 9  # options, with --help


def _commands() -> dict[str, click.Command]:
    def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        if isinstance(command, click.Group):
            for inner in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), inner)
                assert found is not None
                yield from below(f"{name} {inner}", found)
        else:
            yield name, command

    tops = ((name, main.get_command(click.Context(main), name)) for name in COMMANDS)
    return {name: inner for top, command in tops if command is not None for name, inner in below(top, command)}


ALL = _commands()


def _options(command: click.Command) -> list[str]:
    context = click.Context(command, help_option_names=["-h", "--help"])
    return [long_name(option) for option in command.get_params(context) if isinstance(option, click.Option)]


GROUPED = {name: command for name, command in ALL.items() if isinstance(command, GroupedCommand)}


@pytest.mark.parametrize("name", ALL)
def test_a_command_with_many_options_groups_them(name: str) -> None:
    assert isinstance(ALL[name], GroupedCommand) == (len(_options(ALL[name])) > MOST_IN_ONE_LIST)


def test_the_table_names_every_option_of_these_commands_once_and_no_other() -> None:
    listed = [option for options in GROUPS.values() for option in options]
    assert len(listed) == len(set(listed))
    used = {option for command in GROUPED.values() for option in _options(command)}
    assert used ^ set(listed) == set(), "Give each a group in re2nn_core/commands/_common/grouped_help.py."


@pytest.mark.parametrize("name", GROUPED)
def test_no_option_is_lost(name: str) -> None:
    command = GROUPED[name]
    text = command.get_help(click.Context(command, help_option_names=["-h", "--help"]))
    assert [option for option in _options(command) if not re.search(rf"{option}(?![\w-])", text)] == []


def test_groups_stand_in_order_with_what_is_required_first(re2nn: Call) -> None:
    text = re2nn("train", "--help").out
    titles = [line.removesuffix(" options:") for line in text.splitlines() if line.endswith(" options:")]
    assert titles == ["Input", "Model", "Training", "Output", "Advanced"]
    first, kind = text.partition("Output options:\n")[2].split()[:2]
    assert (first, kind) == ("--output", "PATH")
    assert re2nn("add-rules", "--help").out.partition("Training options:")[1] == ""  # it has none of these


def test_an_option_that_the_table_lacks_is_advanced() -> None:
    command = GroupedCommand("new", params=[click.Option(["--unheard-of"], help="Something new.")])
    assert "Advanced options:\n  --unheard-of TEXT  Something new.\n" in f"{command.get_help(click.Context(command))}\n"


def test_an_argument_is_no_option() -> None:
    """It stands in the line of usage, and has no words of its own."""

    @click.command(cls=GroupedCommand)
    @click.argument("files", nargs=-1)
    @click.option("--json", is_flag=True, help="As JSON.")
    def command(files: tuple[str, ...], json: bool) -> None:
        """Something."""

    text = command.get_help(click.Context(command))
    assert "[FILES]..." in text.splitlines()[0]
    assert text.count("FILES") == 1


def test_each_command_is_listed_once_with_its_whole_sentence(re2nn: Call) -> None:
    assert sorted(name for names in KINDS.values() for name in names) == sorted(COMMANDS)
    listed = " ".join(re2nn("--help").out.partition("Options:")[2].split())
    assert "..." not in listed
    assert "help Show the guide: all topics, one topic, or the sections that hold some words." in listed
