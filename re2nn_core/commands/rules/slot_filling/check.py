"""check and compile for slots: which slots the rules give, and how large their transducers are."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from re2nn_core.commands._common.answer import Answer, table
from re2nn_core.commands._common.inputs import tell_warnings
from re2nn_core.commands._common.options import SLOTS
from re2nn_core.commands.rules.check_sentences import with_sentences
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.automata.independent import MachineSizes, Sizes

_SIZES = ("positions", "FST states", "i-FST states")


def check_slot_file(
    file: Path, logic_path: Path | None, tokenization: Tokenization | None, sentences_path: Path | None = None
) -> Answer:
    """The answer of `re2nn check` for slots. RuleError and LogicError with every fault."""
    from re2nn_core.automata.independent import sizes
    from re2nn_core.commands.rules.check import found_in, without_faults
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots

    loaded = load_slots(file, logic_path, tokenization or Tokenization())
    system = loaded.system
    rules = system.ruleset.rules
    found = sizes(rules)
    data = {
        **found_in(len(rules), (), loaded.warnings),
        "task": SLOTS,
        "slots": list(system.slots),
        "separate": asdict(found.separate),
        "union": asdict(found.union),
    }
    held = f"{file}: {counted(len(rules), 'rule')} for {counted(len(system.slots), 'slot')}"
    text = (
        f"{without_faults(held, loaded.warnings)}\n\nslots: {', '.join(system.slots)}\n\n"
        f"{table(['transducers', *_SIZES], [_separate(found), _union(found)])}"
    )
    answer = Answer(data, text)
    return answer if sentences_path is None else with_sentences(answer, system, sentences_path)


def compile_slot_file(
    file: Path,
    logic_path: Path | None,
    transducer: Literal["positions", "ifst"],
    rank: int | None,
    tokenization: Tokenization | None,
) -> Answer:
    """The answer of `re2nn compile` for slots."""
    from re2nn_core.automata.independent import sizes
    from re2nn_core.commands.rules.check import approximated
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots
    from re2nn_core.tensors.tagged_factors import tag_factors
    from re2nn_core.text.vocabulary import build_vocabulary

    loaded = load_slots(file, logic_path, tokenization or Tokenization())
    tell_warnings(loaded.warnings, file, tokenization)
    system = loaded.system
    start = time.perf_counter()
    factors = tag_factors(system.trees, build_vocabulary((), system.ruleset.words), transducer).factors
    seconds = time.perf_counter() - start
    found = sizes(system.ruleset.rules)
    data = {
        "task": SLOTS,
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
    return Answer(data, _sizes(found, data))


def _sizes(found: Sizes, data: dict[str, Any]) -> str:
    from re2nn_core.commands.rules.check import low_rank_in_words

    rows = [[name, *_row(of_rule)] for name, of_rule in found.rules.items()]
    kind = "one state a position" if data["transducer"] == "positions" else "independent transducers (i-FST)"
    return (
        f"{table(['transducer', *_SIZES], [*rows, _separate(found), _union(found)])}\n\n"
        f"{counted(len(data['slots']), 'slot')}, {data['tags'] - 1:,} tags and the wildcard; exact factors of "
        f"{kind}: {counted(data['states'], 'state')}, rank {data['rank']:,}; built in {data['seconds']:.2f} s."
        f"{low_rank_in_words(data.get('low_rank'))}"
    )


def _separate(found: Sizes) -> list[object]:
    return ["rule by rule", *_row(found.separate)]


def _union(found: Sizes) -> list[object]:
    return ["all as one", *_row(found.union)]


def _row(of_machine: MachineSizes) -> list[object]:
    return [of_machine.positions, of_machine.states, of_machine.independent_states]
