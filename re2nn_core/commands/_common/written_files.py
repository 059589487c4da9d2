"""Where a command may write: no folder, no file that it reads, and no two outputs to one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import click

from re2nn_core.commands._common.options import PATH, given_options
from re2nn_core.errors import InputError
from re2nn_core.text.joined_names import join_names

Named = tuple[str, Path]  # the option or argument as people write it, and what was given for it

overwrite_option = click.option(
    "--overwrite",
    is_flag=True,
    expose_value=False,
    help="Replace files of rules and label logic that are there already.",
)


def refuse_outputs(*names: str, **derived: Path) -> None:
    """InputError, before any work is done, for an output of the command that runs now which is a folder or stands in
    none, which is also an input, or which another output has too. `names`: the parameters that are outputs, those not
    given left out; `derived`: outputs that the command chose a path for itself, by their parameter. All other paths
    that the command was given are inputs; of a model folder, the files of the model."""
    given = list(_given())
    outputs = [(_shown(parameter), path) for parameter, path in given if parameter.name in names]
    outputs += [(f"the default of {_shown(_parameter(name))}", path) for name, path in derived.items()]
    refuse_folders(*(path for _, path in outputs))
    for (one, path), (other, same) in combinations(outputs, 2):
        if _is_one_file(path, same):
            raise InputError(
                f"{one} and {other}: two outputs have the same path, {_both(path, same)}, so that one would replace "
                "the other. Nothing was written. Give each a path of its own."
            )
    inputs = [(_shown(parameter), path) for parameter, path in given if parameter.name not in names]
    for name, path in outputs:
        for source, read in _with_model_files(inputs):
            if _is_one_file(path, read):
                raise InputError(
                    f"{name} and {source}: {_both(path, read)} is an input, and {name} would overwrite it. Nothing was "
                    f"written. Give another path for {name}."
                )


def refuse_database(file: Path, database: str | Path | None) -> None:
    """InputError for an output that is the database which is read."""
    from re2nn_core.store.engine.addresses import read_address

    path = read_address(database).path
    if path is not None and _is_one_file(file, path):
        raise InputError(
            f"{file} is the database itself, and FILE would overwrite it. Nothing was written. Give "
            "another path for FILE."
        )


def refuse_existing_rules(*paths: Path | None) -> None:
    """InputError, before any work is done, for files of rules or label logic that are there already and may hold
    somebody's work, unless --overwrite was written. What is empty or no file, as a terminal, may be written to."""
    found = [str(path) for path in paths if path is not None and path.is_file() and path.stat().st_size]
    if found and not given_options("overwrite"):
        verb = "is" if len(found) == 1 else "are"
        raise InputError(
            f"{join_names(found)} {verb} there already. Nothing was written. Name another file, or give --overwrite."
        )


def refuse_folders(*paths: Path) -> None:
    """InputError for a path that no file can be written to, before any work is done for it."""
    for path in paths:
        if path.is_dir():
            raise InputError(f"{path}: this is a folder. Give the path of a file to write.")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}. Make it first, or choose another.")


def _given() -> Iterator[tuple[click.Parameter, Path]]:
    """Every path that the command was given, with the parameter it was given for; not `-`, which is stdin."""
    context = click.get_current_context()
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "") if parameter.type is PATH else None
        for path in value if isinstance(value, tuple) else (value,):
            if isinstance(path, Path) and str(path) != "-":
                yield parameter, path


def _parameter(name: str) -> click.Parameter:
    return next(one for one in click.get_current_context().command.params if one.name == name)


def _shown(parameter: click.Parameter) -> str:
    """A parameter as people write it: its longest option, or the name of an argument."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.human_readable_name


def _with_model_files(inputs: Iterable[Named]) -> Iterator[Named]:
    """The inputs, and the files of those that are model folders."""
    for name, path in inputs:
        yield name, path
        if path.is_dir():
            from re2nn_core.network.model_folder import WRITTEN_FILES  # loads torch, which only a model needs

            yield from ((name, path / file) for file in WRITTEN_FILES if (path / file).is_file())


def _is_one_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by links and other spellings too. What is no file, as a
    terminal, may be read and written."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return one.resolve() == other.resolve()


def _both(one: Path, other: Path) -> str:
    return str(one) if one == other else f"{one} ({other})"
