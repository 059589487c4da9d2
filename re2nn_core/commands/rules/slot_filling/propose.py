"""propose for slots: rules that would give spans that are missed."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.inputs import unlike_defaults
from re2nn_core.commands._common.options import ReadingOptions, refuse_given
from re2nn_core.commands._common.slot_filling.data import read_slot_texts, report_slots_apart
from re2nn_core.commands._common.slot_filling.inputs import rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands.rules.proposal_lines import (
    ADD_OUTPUT,
    NOT_WRITTEN,
    RuleRow,
    condition_lines,
    rules_table,
    signed,
)
from re2nn_core.files import write_together
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
    from re2nn_core.services.rule_writing.slot_filling.accepted_together import SlotsAccepted
    from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion
    from re2nn_core.services.rule_writing.slot_filling.proposed_rule import Located, SlotProposal
    from re2nn_core.text.corpus import Corpus

_SPANS_SHOWN = 3
_SHOWN = 12  # alternatives of a class
_GUESSED = "Guessed spans: spans of texts without annotation, which are guessed from the annotated ones."


@dataclass(frozen=True)
class SlotsAsked:
    """One slot, or all; how many proposals of each kind; the files for rules and for their priorities."""

    slot: str | None
    most: int
    outputs: tuple[Path | None, Path | None]


@dataclass(frozen=True)
class SlotsWithoutRules:
    """The text of rules that are none, and the `content` of the file of texts, which was read then; None for rules."""

    text: str | None
    content: bytes | None


def propose_slot_rules(
    sources: Sources, data_path: Path, asked: SlotsAsked, reading: ReadingOptions, without: SlotsWithoutRules
) -> CommandResult:
    """The result of `re2nn propose` for slots."""
    refuse_given(Task.SLOT_FILLING, "label")
    corpus = read_slot_texts(data_path, reading, sources.tokenization_of(None), data=without.content).corpus
    if sources.ignore_slot_case:
        corpus = corpus.spelt_alike()
    system = _system(sources, corpus, without.text)
    if system.ruleset.rules:
        report_slots_apart(corpus, (*system.slots, *corpus.slots), system.slots, str(data_path))
    proposals, exclusions, accept = _proposals(system, corpus, asked.slot, asked.most)
    accepted = accept() if asked.outputs[0] is not None and (proposals or exclusions) else None
    written = {} if accepted is None else _write(system, accepted, asked)
    data = {
        "proposals": [_shape(one, corpus) for one in proposals],
        "exclusions": [_exclusion_shape(one, corpus) for one in exclusions],
        **written,
    }
    options = unlike_defaults(system.tokenization, ignores_slot_case=sources.ignore_slot_case)
    parts = [_report(proposals, corpus), *_exclusions(exclusions, corpus)]
    if proposals or exclusions:
        parts.append(_UNSEEN)
    if accepted is not None:
        parts.append(_written(len(proposals), accepted, written, options))
    elif asked.outputs[0] is not None:
        parts.append(f"Nothing was written to {asked.outputs[0]}: nothing is proposed.")
    elif proposals or exclusions:
        parts.append(ADD_OUTPUT)
    return CommandResult(data, "\n\n".join(parts))


def _system(sources: Sources, corpus: Corpus, text: str | None) -> SlotSystem:
    """The rules; `text` where they are none."""
    from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_without_rules

    if text is None:
        return rules_and_tagger(sources, None, corpus.slots if sources.ignore_slot_case else ()).system
    logic = "" if sources.logic is None else read_text_file(sources.logic, "a file of priorities")
    return slot_system_without_rules(sources.tokenization or Tokenization(), text, logic)


def _proposals(
    system: SlotSystem, corpus: Corpus, slot: str | None, most: int
) -> tuple[Sequence[SlotProposal], Sequence[SlotExclusion], Callable[[], SlotsAccepted]]:
    """Rules, conditions for the rules that there are, and how all of them are accepted."""
    from re2nn_core.services.rule_writing.slot_filling.accepted_together import accept_slots_together
    from re2nn_core.services.rule_writing.slot_filling.exclusions import propose_slot_exclusions
    from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
    from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of, with_guessed_spans
    from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots
    from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slot_system

    gold = [example.spans for example in corpus]
    bench = SlotBench(corpus.texts, system.tokenization)
    now = analyse_slot_system(bench, gold, system)
    splits = [example.split for example in corpus]
    material = with_guessed_spans(slot_material_of(gold, splits), now, splits)
    proposals = propose_for_slots(now, material, slot=slot, most=most)
    exclusions = propose_slot_exclusions(now, material, slot=slot, most=most)
    return proposals, exclusions, lambda: accept_slots_together(now, material, proposals, exclusions)


def _exclusion_shape(one: SlotExclusion, corpus: Corpus) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "slots": list(one.slots),
        "condition": one.condition,
        "unseen": {"fixed": one.fixed_unseen, "broken": one.broken_unseen},
        "splits": _by_split(one, corpus),
        "fixed": [_located(part, corpus) for part in one.fixed],
        "broken": [_located(part, corpus) for part in one.broken],
    }


def _exclusions(found: Sequence[SlotExclusion], corpus: Corpus) -> list[str]:
    """What rules should leave out."""
    lines = []
    for one in found:
        lines += condition_lines(
            f"{one.rule}: {one.condition}",
            f"unseen spans {signed((one.fixed_unseen, one.broken_unseen))}",
            _held_out_splits(one, corpus),
            f"all annotated texts {signed((len(one.fixed), len(one.broken)))}",
            excluded=[corpus.examples[place].text for place, _ in one.fixed[:1]],
        )
    return ["\n".join(["Proposed conditions:", *lines])] if lines else []


def _shape(proposal: SlotProposal, corpus: Corpus) -> dict[str, Any]:
    return {
        "rule": proposal.name,
        "slot": proposal.slot,
        "expression": proposal.expression,
        "lines": list(proposal.lines),
        "extends": proposal.extends,
        "values": list(proposal.values),
        "unseen": {"fixed": proposal.fixed_unseen, "broken": proposal.broken_unseen},
        "guessed": {"fixed": proposal.fixed_guessed, "broken": proposal.broken_guessed},
        "spans": proposal.matches,
        "correct": proposal.correct,
        "splits": _by_split(proposal, corpus),
        "fixed": [_located(one, corpus) for one in proposal.fixed],
        "broken": [_located(one, corpus) for one in proposal.broken],
    }


def _located(one: Located, corpus: Corpus) -> dict[str, Any]:
    place, span = one
    return {"text": corpus.examples[place].text, "span": [span.start, span.end, span.slot]}


def _by_split(proposal: SlotProposal | SlotExclusion, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Spans fixed and broken in each split that the file names."""
    named = [example.split for example in corpus]
    return {
        split: {
            "fixed": sum(named[place] == split for place, _ in proposal.fixed),
            "broken": sum(named[place] == split for place, _ in proposal.broken),
        }
        for split in dict.fromkeys(split for split in named if split is not None)
    }


def _held_out_splits(proposal: SlotProposal | SlotExclusion, corpus: Corpus) -> list[tuple[str, int, int]]:
    """(split, fixed, broken) of splits that made no proposal."""
    found = _by_split(proposal, corpus).items()
    return [(split, counts["fixed"], counts["broken"]) for split, counts in found if split != "train"]


def _write(system: SlotSystem, accepted: SlotsAccepted, asked: SlotsAsked) -> dict[str, Any]:
    """Write the rules with all that was accepted, and the priorities, where files were given for them."""
    rules_path, logic_path = asked.outputs
    if rules_path is None or logic_path is None:
        return {}
    files = {rules_path: accepted.rules_text}
    if system.logic_text.strip():
        files[logic_path] = system.logic_text
    write_together(files)
    return {
        "output": str(rules_path),
        "logic_output": str(logic_path) if system.logic_text.strip() else None,
        "left_out": [f"the condition of {one.rule}" for one in accepted.left_out],
    }


def _report(proposals: Sequence[SlotProposal], corpus: Corpus) -> str:
    if not proposals:
        return (
            "No rule is proposed: no value and no context fixes spans of texts that it was not made from. Annotate "
            "more texts, or write a rule for spans that are missed."
        )
    rows = [
        RuleRow(
            one.slot,
            one.name,
            (one.fixed_unseen, one.broken_unseen),
            (one.fixed_guessed, one.broken_guessed),
            one.correct,
            one.matches,
            _held_out_splits(one, corpus),
        )
        for one in proposals
    ]
    rules, guessed = rules_table("slot", "spans", rows)
    parts = [rules, *([_GUESSED] if guessed else []), ""]
    shown: set[str] = set()
    for one in proposals:
        parts += _lines_of(one, corpus, shown)
        shown.update(one.classes)
    return "\n".join(parts).rstrip("\n")


def _lines_of(proposal: SlotProposal, corpus: Corpus, shown: Container[str]) -> list[str]:
    """The rule, its classes that were not `shown` yet, of long ones the first alternatives, and the first spans that it
    fixes, in brackets."""
    fixed = []
    for place, span in proposal.fixed:
        text = corpus.examples[place].text
        fixed.append(f"    fixes: {text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}")
    fixes = list(dict.fromkeys(fixed))[:_SPANS_SHOWN]
    every = dict(proposal.alternatives_shown)
    if proposal.extends is not None:
        [(name, values)] = every.items()
        rule = f"{proposal.name} := {proposal.expression}"
        return [rule, f"// @{name}@ also: {' | '.join(values[:_SHOWN])}{_more(values)}", *fixes, ""]
    long = {name: one for name, one in every.items() if len(one) > _SHOWN}
    listed = [f"@{n}@: {' | '.join(one[:_SHOWN])}{_more(one)}" for n, one in long.items() if n not in shown]
    left_out = {*long, *(name for name in every if name in shown)}
    return [*listed, *proposal.lines_without(left_out), *fixes, ""]


def _more(alternatives: Sequence[str]) -> str:
    more = len(alternatives) - _SHOWN
    return f" and {more:,} more" if more > 0 else ""


_UNSEEN = (
    "Unseen spans: spans of annotated texts that a proposal was not made from; + fixed, - broken: correct spans lost, "
    "or incorrect ones given."
)


def _written(rules: int, accepted: SlotsAccepted, written: dict[str, Any], options: str) -> str:
    """What was written, what was left out and why, and what to do next."""
    held = [counted(rules, "proposed rule")] if rules else []
    held += [counted(len(accepted.conditions), "condition")] if accepted.conditions else []
    lines = [f"Written: {written['output']} with {' and '.join(held) or 'the rules as they were'}."]
    if written["left_out"]:
        lines.append(NOT_WRITTEN.format(", ".join(written["left_out"])))
    logic = f" --logic {written['logic_output']}" if written["logic_output"] else ""
    return "\n".join([*lines, "Next:", f"    re2nn evaluate --rules {written['output']}{logic} --data FILE{options}"])
