"""check for slots: which slots the rules give, and how large their transducers are."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands.rules.rule_report import rule_findings, with_limits, without_faults
from re2nn_core.commands.rules.slot_filling.transducer_sizes import SIZE_NAMES, row_of_separate, row_of_union
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem


def check_slot_file(file: Path, logic: Path | None, tokenization: Tokenization) -> tuple[CommandResult, SlotSystem]:
    """The result of `re2nn check` for slots, and the rules. RuleError and LogicError with every fault."""
    from re2nn_core.automata.checks.ambiguous import ambiguous_captures
    from re2nn_core.automata.independent import independent_sizes
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots

    loaded = load_slots(file, logic, tokenization)
    system = loaded.system
    rules = system.ruleset.rules
    warnings = with_limits(rules, (*loaded.warnings, *ambiguous_captures(rules, file=str(file))), file)
    found = independent_sizes(rules)
    data = {
        **rule_findings(len(rules), (), warnings),
        "task": Task.SLOT_FILLING,
        "slots": list(system.slots),
        "separate": asdict(found.separate),
        "union": asdict(found.union),
    }
    held = f"{file}: {counted(len(rules), 'rule')} for {counted(len(system.slots), 'slot')}"
    text = (
        f"{without_faults(held, warnings)}\n\nslots: {', '.join(system.slots)}\n\n"
        f"{table(['transducers', *SIZE_NAMES], [row_of_separate(found), row_of_union(found)])}"
    )
    return CommandResult(data, text), system
