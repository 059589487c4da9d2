"""propose for slots: rules that would give spans that are missed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.inputs import unlike_defaults
from re2nn_core.commands._common.options import ReadingOptions, refuse_given
from re2nn_core.commands._common.slot_filling.data import read_slot_texts, report_slots_apart
from re2nn_core.commands._common.slot_filling.inputs import rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.files import write_together
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
    from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion
    from re2nn_core.services.rule_writing.slot_filling.proposed_rule import Located, SlotProposal
    from re2nn_core.text.corpus import Corpus

_SPANS_SHOWN = 3
_GUESSED = "Guessed spans: spans of texts without annotation, which are guessed from the annotated ones."
Outputs = tuple[Path | None, Path | None]  # files for rules, and for their priorities


def propose_slot_rules(
    sources: Sources, data_path: Path, slot: str | None, most: int, outputs: Outputs, reading: ReadingOptions
) -> CommandResult:
    """The result of `re2nn propose` for slots."""
    refuse_given(Task.SLOT_FILLING, "label")
    corpus = read_slot_texts(data_path, reading, sources.tokenization_of(None)).corpus
    if sources.ignore_slot_case:
        corpus = corpus.spelt_alike()
    system = rules_and_tagger(sources, None, corpus.slots if sources.ignore_slot_case else ()).system
    report_slots_apart(corpus, (*system.slots, *corpus.slots), system.slots, str(data_path))
    proposals, exclusions = _proposals(system, corpus, slot, most)
    written = _write(system, proposals, outputs) if proposals else {}
    data = {
        "proposals": [_shape(one, corpus) for one in proposals],
        "exclusions": [_exclusion_shape(one, corpus) for one in exclusions],
        **written,
    }
    options = unlike_defaults(system.tokenization, ignores_slot_case=sources.ignore_slot_case)
    report = _report(proposals, corpus, written, options)
    return CommandResult(data, "\n\n".join([report, *_exclusions(exclusions, corpus)]))


def _proposals(
    system: SlotSystem, corpus: Corpus, slot: str | None, most: int
) -> tuple[Sequence[SlotProposal], Sequence[SlotExclusion]]:
    """Rules, and conditions for the rules that there are."""
    from re2nn_core.services.rule_writing.slot_filling.exclusions import propose_slot_exclusions
    from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
    from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of, with_guessed_spans
    from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots
    from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots

    gold = [example.spans for example in corpus]
    bench = SlotBench(corpus.texts, system.tokenization)
    now = analyse_slots(bench, gold, system.rules_text, system.logic_text, system.known_slots)
    splits = [example.split for example in corpus]
    material = with_guessed_spans(slot_material_of(gold, splits), now, splits)
    proposals = propose_for_slots(now, material, slot=slot, most=most)
    return proposals, propose_slot_exclusions(now, material, slot=slot, most=most)


def _exclusion_shape(one: SlotExclusion, corpus: Corpus) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "slots": list(one.slots),
        "condition": one.condition,
        "unseen": {"removed": one.removed_unseen, "lost": one.lost_unseen},
        "removed": [_located(part, corpus) for part in one.removed],
        "lost": [_located(part, corpus) for part in one.lost],
    }


def _exclusions(found: Sequence[SlotExclusion], corpus: Corpus) -> list[str]:
    """What rules should leave out."""
    lines = []
    for one in found:
        removed, lost = counted(len(one.removed), "incorrect span"), counted(len(one.lost), "correct one")
        lines.append(f"{one.rule}: {one.condition}")
        lines.append(f"    {removed} fewer, {lost} lost; unseen spans +{one.removed_unseen} -{one.lost_unseen}")
        lines += [f"    excludes: {corpus.examples[place].text}" for place, _ in one.removed[:1]]
    return ["\n".join(["Proposed conditions, which -o does not write:", *lines])] if lines else []


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


def _by_split(proposal: SlotProposal, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Spans fixed and broken in each split that the file names."""
    named = [example.split for example in corpus]
    return {
        split: {
            "fixed": sum(named[place] == split for place, _ in proposal.fixed),
            "broken": sum(named[place] == split for place, _ in proposal.broken),
        }
        for split in dict.fromkeys(split for split in named if split is not None)
    }


def _write(system: SlotSystem, proposals: Sequence[SlotProposal], outputs: Outputs) -> dict[str, Any]:
    """Write the rules with all proposals, and the priorities, where files were given for them."""
    rules_path, logic_path = outputs
    if rules_path is None or logic_path is None:
        return {}
    from re2nn_core.services.rule_writing.slot_filling.proposed_rule import with_slot_proposals

    files = {rules_path: with_slot_proposals(system.rules_text, proposals)}
    if system.logic_text.strip():
        files[logic_path] = system.logic_text
    write_together(files)
    return {"output": str(rules_path), "logic_output": str(logic_path) if system.logic_text.strip() else None}


def _report(proposals: Sequence[SlotProposal], corpus: Corpus, written: dict[str, Any], options: str) -> str:
    if not proposals:
        return (
            "No rule is proposed: no value and no context fixes spans of texts that it was not made from. Annotate "
            "more texts, or write a rule for spans that are missed."
        )
    held_out = [split for split in _by_split(proposals[0], corpus) if split != "train"]
    guessed = any(one.fixed_guessed or one.broken_guessed for one in proposals)
    rows = [
        [
            one.slot,
            one.name,
            f"+{one.fixed_unseen} -{one.broken_unseen}",
            *([f"+{one.fixed_guessed} -{one.broken_guessed}"] if guessed else []),
            f"{one.correct:,} of {one.matches:,}",
            *("+{fixed} -{broken}".format(**_by_split(one, corpus)[split]) for split in held_out),
        ]
        for one in proposals
    ]
    head = ["slot", "rule", "unseen spans", *(["guessed spans"] if guessed else []), "correct"]
    parts = [table([*head, *held_out], rows), *([_GUESSED] if guessed else []), ""]
    parts += [line for one in proposals for line in _lines_of(one, corpus)]
    return "\n".join([*parts, _next(len(proposals), written, options)])


def _lines_of(proposal: SlotProposal, corpus: Corpus) -> list[str]:
    """The rule, and the first spans that it fixes, in brackets."""
    fixed = []
    for place, span in proposal.fixed[:_SPANS_SHOWN]:
        text = corpus.examples[place].text
        fixed.append(f"    fixes: {text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}")
    rule = [f"{proposal.name} := {proposal.expression}"] if proposal.extends is not None else []
    return [*rule, *proposal.lines, *fixed, ""]


def _next(count: int, written: dict[str, Any], options: str) -> str:
    unseen = (
        "Unseen spans: spans of annotated texts that a rule was not made from; + fixed, - broken: correct spans lost, "
        "or incorrect ones given."
    )
    if not written:
        return f"{unseen}\nAdd -o FILE to write the rules with {'it' if count == 1 else 'all of them'}."
    logic = f" --logic {written['logic_output']}" if written["logic_output"] else ""
    return (
        f"{unseen}\nWritten: {written['output']} with {counted(count, 'proposed rule')}. Next:\n"
        f"    re2nn evaluate --rules {written['output']}{logic} --data FILE{options}"
    )
