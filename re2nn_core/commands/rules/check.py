"""check and compile: can the rules be read, and how large are their machines. For slots see slot_filling/check.py."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from re2nn_core.commands._common.answer import Answer, table
from re2nn_core.commands._common.inputs import tell_warnings
from re2nn_core.commands._common.options import (
    LABELS,
    PATH,
    SLOTS,
    json_option,
    logic_option,
    machines_option,
    refuse_given,
    task_option,
    tokenization_options,
    transducer_option,
)
from re2nn_core.commands._common.slot_filling.inputs import find_task
from re2nn_core.commands.rules.check_sentences import with_sentences
from re2nn_core.commands.rules.slot_filling.check import check_slot_file, compile_slot_file
from re2nn_core.errors import Fault, FaultsError
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.sources import LoadedRules
    from re2nn_core.tensors.factors import Factors


@click.command("check")
@click.argument("file", type=PATH)
@logic_option
@click.option(
    "--sentences",
    "sentences_path",
    type=PATH,
    help='What rules must match and must not match, TOML: [rule_name], must = ["..."], must_not = ["..."].',
)
@task_option
@tokenization_options
@json_option
def check_command(
    file: Path,
    logic_path: Path | None,
    sentences_path: Path | None,
    task: str | None,
    tokenization: Tokenization | None,
) -> Answer:
    """Read a rule file and tell every fault in it.

    With --logic, the faults of the label logic too. With --sentences, every sentence that its rule should match and
    does not, or should not and does. Of rules for slots, also the slots and how large their transducers are. Exit code
    1 if there is a fault or a sentence fails; warnings are none.

    Example: re2nn check rules.txt --logic logic.toml --sentences sentences.toml
    """
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    try:
        if find_task(task, file, tokenization=tokenization) == SLOTS:
            return check_slot_file(file, logic_path, tokenization, sentences_path)
        loaded = load_rules(file, logic_path, tokenization or Tokenization())
    except FaultsError as error:
        return _faulty(file, error.faults)
    rules, labels = len(loaded.ruleset.rules), len(loaded.ruleset.labels)
    found = f"{file}: {counted(rules, 'rule')} for {counted(labels, 'label')}"
    answer = Answer(found_in(rules, (), loaded.warnings), without_faults(found, loaded.warnings))
    return answer if sentences_path is None else with_sentences(answer, loaded.system(), sentences_path)


def without_faults(found: str, warnings: Sequence[Fault]) -> str:
    """What a file without faults holds, behind its warnings."""
    if not warnings:
        return f"{found}, no faults."
    told = counted(len(warnings), "warning")
    return f"{_rendered(warnings)}\n\n{found}, no faults, but {told}: see above what is hardly meant."


def _faulty(file: Path, faults: Sequence[Fault]) -> Answer:
    files = " and ".join(dict.fromkeys(fault.file for fault in faults))
    ending = f"{counted(len(faults), 'fault')} in {files}. Mend and check again: re2nn check {file}"
    return Answer(found_in(0, faults, ()), f"{_rendered(faults)}\n\n{ending}", ok=False)


def found_in(rules: int, faults: Sequence[Fault], warnings: Sequence[Fault]) -> dict[str, Any]:
    """The object of --json; `rules` counts those that can be used, so it is 0 where there are faults."""
    return {
        "ok": not faults,
        "rules": rules,
        "faults": [_shape(fault) for fault in faults],
        "warnings": [_shape(warning) for warning in warnings],
    }


def _shape(fault: Fault) -> dict[str, Any]:
    who = f"{fault.where}: " if fault.where else ""
    return {
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "message": who + fault.message,
        "advice": fault.advice,
    }


def _rendered(faults: Sequence[Fault]) -> str:
    return "\n\n".join(fault.render() for fault in faults)


@click.command("compile")
@click.argument("file", type=PATH)
@logic_option
@machines_option
@transducer_option
@task_option
@click.option("--rank", type=click.IntRange(1), help="Also approximate the factors at this rank, and tell the error.")
@tokenization_options
@json_option
def compile_command(
    file: Path,
    logic_path: Path | None,
    machines: Literal["label", "rule"],
    transducer: Literal["positions", "ifst"] | None,
    task: str | None,
    rank: int | None,
    tokenization: Tokenization | None,
) -> Answer:
    """Build the machines of a rule file and tell their sizes.

    The machines are minimal and deterministic, with `$`, `%` and `&` as symbols of their own; the factors
    give their transition tensor back without error.

    Example: re2nn compile rules.txt --machines rule
    """
    if find_task(task, file, tokenization=tokenization) == SLOTS:
        refuse_given(SLOTS, "machines")
        return compile_slot_file(file, logic_path, transducer or "positions", rank, tokenization)
    refuse_given(LABELS, "transducer")
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    loaded = load_rules(file, logic_path, tokenization or Tokenization())
    tell_warnings(loaded.warnings, file, tokenization)
    return _compiled(loaded, machines, rank)


def _compiled(loaded: LoadedRules, machines: Literal["label", "rule"], rank: int | None) -> Answer:
    from re2nn_core.tensors.factors import exact_factors
    from re2nn_core.tensors.machines import build_machines
    from re2nn_core.text.vocabulary import build_vocabulary

    start = time.perf_counter()
    built = build_machines(loaded.ruleset, loaded.logic, machines)
    factors = exact_factors(built, build_vocabulary((), loaded.ruleset.words))
    seconds = time.perf_counter() - start
    rows = [
        {
            "name": machine.name,
            "rules": len(machine.rules),
            "states": len(machine.dfa),
            "arcs": machine.dfa.arc_count,
        }
        for machine in built.machines
    ]
    data = {
        "rules": len(loaded.ruleset.rules),
        "labels": len(loaded.logic.labels),
        "states": built.joint_states,
        "arcs": built.arcs,
        "rank": factors.rank,
        "seconds": round(seconds, 4),
        "machines": rows,
    }
    if rank is not None:
        data["low_rank"] = approximated(factors, rank)
    return Answer(data, _sizes(data))


def approximated(factors: Factors, rank: int) -> dict[str, Any]:
    """How good factors of a lower rank are."""
    from re2nn_core.tensors.decompose import low_rank

    found = low_rank(factors, rank, seed=0)
    return {
        "rank": rank,
        "relative_error": round(found.relative_error, 6),
        "wrong_entries": found.wrong_entries,
        "start": found.start,
    }


def _sizes(data: dict[str, Any]) -> str:
    rows = [[row["name"], row["rules"], row["states"], row["arcs"]] for row in data["machines"]]
    total = ["in all", data["rules"], data["states"], data["arcs"]]
    start = ["(start)", 0, 1, 0]  # the one start in front of all machines, which the paper counts too
    return (
        f"{table(['machine', 'rules', 'states', 'arcs'], [*rows, start, total])}\n\n"
        f"{counted(data['labels'], 'label')}; exact factors of rank {data['rank']:,}; "
        f"built in {data['seconds']:.2f} s.{low_rank_in_words(data.get('low_rank'))}"
    )


def low_rank_in_words(found: dict[str, Any] | None) -> str:
    """As a line of its own; nothing where no lower rank was asked for."""
    if found is None:
        return ""
    wrong = counted(found["wrong_entries"], "entry", "entries")
    return f"\nAt rank {found['rank']}: relative error {found['relative_error']:.4f}, {wrong} wrong at one half."
