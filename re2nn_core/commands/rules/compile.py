"""compile: how large the automata of a rule file are. For slots see slot_filling/compile.py."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Literal

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.inputs import report_warnings
from re2nn_core.commands._common.options import (
    PATH,
    json_option,
    logic_option,
    machines_option,
    refuse_given,
    task_option,
    tokenization_options,
    transducer_option,
)
from re2nn_core.commands._common.sources import find_task
from re2nn_core.commands.rules.low_rank import approximated, low_rank_in_words
from re2nn_core.commands.rules.slot_filling.compile import compile_slot_file
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization


@click.command("compile")
@click.argument("file", type=PATH)
@logic_option
@machines_option
@transducer_option
@task_option
@click.option("--rank", type=click.IntRange(1), help="Also approximate the factors at this rank, and report the error.")
@tokenization_options
@json_option
def compile_command(
    file: Path,
    logic_path: Path | None,
    machines: Literal["label", "rule"],
    transducer: Literal["positions", "ifst"] | None,
    task: Task | None,
    rank: int | None,
    tokenization: Tokenization | None,
) -> CommandResult:
    """Build the automata of a rule file and report their sizes.

    The automata are minimal and deterministic, with `$`, `%` and `&` as symbols of their own; the factors
    reproduce their transition tensor without error.

    Example: re2nn compile rules.txt --automata rule
    """
    return by_task(
        find_task(task, file, tokenization=tokenization),
        classification=lambda: _compile_label_file(file, logic_path, machines, rank, tokenization),
        slot_filling=lambda: compile_slot_file(file, logic_path, transducer or "positions", rank, tokenization),
    )()


def _compile_label_file(
    file: Path,
    logic_path: Path | None,
    machines: Literal["label", "rule"],
    rank: int | None,
    tokenization: Tokenization | None,
) -> CommandResult:
    from re2nn_core.services.rule_systems.classification.sources import load_rules
    from re2nn_core.tensors.factors import exact_factors, exact_rank
    from re2nn_core.tensors.machines import build_machines
    from re2nn_core.text.vocabulary import build_vocabulary

    refuse_given(Task.CLASSIFICATION, "transducer")
    loaded = load_rules(file, logic_path, tokenization or Tokenization())
    report_warnings(loaded.warnings, file, tokenization, logic=logic_path)
    start = time.perf_counter()
    built = build_machines(loaded.ruleset, loaded.logic, machines)
    exact = exact_rank(built)
    seconds = time.perf_counter() - start
    rows = [
        {"name": machine.name, "rules": len(machine.rules), "states": len(machine.dfa), "arcs": machine.dfa.arc_count}
        for machine in built.machines
    ]
    data = {
        "rules": len(loaded.ruleset.rules),
        "labels": len(loaded.logic.labels),
        "states": built.joint_states,
        "arcs": built.arcs,
        "rank": exact,
        "seconds": round(seconds, 4),
        "machines": rows,
    }
    if rank is not None:
        data["low_rank"] = approximated(exact_factors(built, build_vocabulary((), loaded.ruleset.words)), rank)
    return CommandResult(data, _sizes(data))


def _sizes(data: dict[str, Any]) -> str:
    rows = [[row["name"], row["rules"], row["states"], row["arcs"]] for row in data["machines"]]
    total = ["in all", data["rules"], data["states"], data["arcs"]]
    start = ["(start)", 0, 1, 0]  # the one start in front of all machines, which the paper counts too
    return (
        f"{table(['machine', 'rules', 'states', 'arcs'], [*rows, start, total])}\n\n"
        f"{counted(data['labels'], 'label')}; exact factors of rank {data['rank']:,}; "
        f"built in {data['seconds']:.2f} s.{low_rank_in_words(data.get('low_rank'))}"
    )
