"""compile for slots: how large the transducers of a rule file are."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.inputs import report_warnings
from re2nn_core.commands._common.options import refuse_given
from re2nn_core.commands.rules.low_rank import approximated, low_rank_in_words
from re2nn_core.commands.rules.slot_filling.transducer_sizes import SIZE_NAMES, row_of_separate, row_of_union, size_row
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.automata.independent import IndependentSizes


def compile_slot_file(
    file: Path,
    logic_path: Path | None,
    transducer: Literal["positions", "ifst"],
    rank: int | None,
    tokenization: Tokenization | None,
) -> CommandResult:
    """The result of `re2nn compile` for slots."""
    from re2nn_core.automata.independent import independent_sizes
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots
    from re2nn_core.tensors.tagged_factors import tag_factors
    from re2nn_core.text.vocabulary import build_vocabulary

    refuse_given(Task.SLOT_FILLING, "machines")
    loaded = load_slots(file, logic_path, tokenization or Tokenization())
    report_warnings(loaded.warnings, file, tokenization)
    system = loaded.system
    start = time.perf_counter()
    factors = tag_factors(system.trees, build_vocabulary((), system.ruleset.words), transducer).factors
    seconds = time.perf_counter() - start
    found = independent_sizes(system.ruleset.rules)
    data = {
        "task": Task.SLOT_FILLING,
        "rules": len(system.ruleset.rules),
        "slots": list(system.slots),
        "tags": len(system.tags),
        "transducer": transducer,
        "states": factors.states,
        "rank": factors.rank,
        "seconds": round(seconds, 4),
        "machines": [{"name": name, **asdict(of_rule)} for name, of_rule in found.rules.items()],
        "union": asdict(found.union),
    }
    if rank is not None:
        data["low_rank"] = approximated(factors, rank)
    return CommandResult(data, _sizes(found, data))


def _sizes(found: IndependentSizes, data: dict[str, Any]) -> str:
    rows = [[name, *size_row(of_rule)] for name, of_rule in found.rules.items()]
    kind = "one state a position" if data["transducer"] == "positions" else "independent transducers (i-FST)"
    return (
        f"{table(['transducer', *SIZE_NAMES], [*rows, row_of_separate(found), row_of_union(found)])}\n\n"
        f"{counted(len(data['slots']), 'slot')}, {data['tags'] - 1:,} tags and the wildcard; exact factors of "
        f"{kind}: {counted(data['states'], 'state')}, rank {data['rank']:,}; built in {data['seconds']:.2f} s."
        f"{low_rank_in_words(data.get('low_rank'))}"
    )
