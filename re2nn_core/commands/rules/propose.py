"""propose: rules that would fix texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import (
    read_label_texts,
    report_unknown_labels,
    rules_and_network,
    unlike_defaults,
)
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    logic_option,
    refuse_given,
    rules_option,
    slot_case_option,
    tokenization_options,
)
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.rules.slot_filling.propose import propose_slot_rules
from re2nn_core.errors import InputError
from re2nn_core.files import write_together
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
    from re2nn_core.services.rule_writing.classification.proposals import NewRule, Proposal
    from re2nn_core.services.rule_writing.classification.proposed_changes import ProposedChanges
    from re2nn_core.services.rule_writing.classification.unlabelled_texts import NewLabel
    from re2nn_core.text.corpus import Corpus

_TEXTS_SHOWN = 3
_GUESSED = "Guessed texts: unlabelled texts, whose labels are guessed from the labelled ones."


@dataclass(frozen=True)
class _Outputs:
    rules: Path | None
    logic: Path | None

    @property
    def logic_path(self) -> Path | None:
        """Where label logic is written, where it is."""
        return self.logic or (self.rules and self.rules.with_suffix(".logic.toml"))


@click.command("propose", cls=GroupedCommand)
@rules_option
@logic_option
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts with labels, or with spans.")
@click.option("--label", help="Propose rules for this label alone.")
@click.option("--slot", help="Propose rules for this slot alone.")
@click.option("--most", type=click.IntRange(1, 100), default=10, show_default=True, help="Show so many at most.")
@click.option("-o", "--output", type=PATH, help="File for the rules with all proposals in them.")
@click.option("--logic-output", type=PATH, help="File for their label logic (TOML). [default: next to the rules]")
@data_options
@tokenization_options
@slot_case_option
@json_option
@with_sources
def propose_command(
    sources: Sources,
    data_path: Path,
    label: str | None,
    slot: str | None,
    most: int,
    output: Path | None,
    logic_output: Path | None,
    reading: ReadingOptions,
) -> CommandResult:
    """Propose rules that would fix texts or spans.

    Words and phrases of the texts that the rules get wrong, as rules of at most four alternatives; for slots, values
    and contexts of annotated spans that the rules miss. The one that gains most on texts that it was not made from
    comes first. Texts of the splits dev and test make no rule; what a proposal fixes and breaks there is shown.
    For rules with incorrect predictions a condition is proposed that excludes them. Where no text has a label, rules
    are proposed for groups of alike texts.
    `re2nn help propose-rules` explains how they are found.

    \b
    Example: re2nn propose --rules rules.txt --logic logic.toml --data texts.tsv
             re2nn propose --rules rules.txt --data texts.tsv --label fare -o more_rules.txt
             re2nn propose --rules slot_rules.txt --data texts.jsonl --slot city
    """
    if logic_output is not None and output is None:
        raise InputError("--logic-output needs -o, the file for the rules. Give both, or neither.")
    outputs = _Outputs(output, logic_output)
    beside = {} if logic_output or outputs.logic_path is None else {"logic_output": outputs.logic_path}
    refuse_outputs("output", "logic_output", **beside)
    if sources.task is Task.SLOT_FILLING:
        return propose_slot_rules(sources, data_path, slot, most, (output, outputs.logic_path), reading)
    refuse_given(Task.CLASSIFICATION, "slot", "ignore_slot_case")
    system = rules_and_network(sources).system
    corpus = read_label_texts(data_path, reading).corpus
    found = _proposals(system, corpus, label, most, data_path)
    proposals, new_labels = found.rules, found.new_labels
    logic = _logic_of(found)
    written = _write(system, proposals or new_labels, outputs) if proposals or new_labels else {}
    data = {
        "proposals": [_shape(one, corpus) for one in proposals],
        "exclusions": [_exclusion_shape(one, corpus) for one in found.exclusions],
        "new_labels": [_new_label_shape(one, corpus) for one in new_labels],
        **logic,
        **written,
    }
    options = unlike_defaults(system.tokenization)
    if new_labels:
        report = _groups(new_labels, corpus, outputs, written, options)
    else:
        report = _report(proposals, corpus, outputs, written, options)
    return CommandResult(data, "\n\n".join([report, *_exclusions(found.exclusions, corpus), *_label_logic(logic)]))


def _proposals(system: RuleSystem, corpus: Corpus, label: str | None, most: int, path: Path) -> ProposedChanges:
    from re2nn_core.exchange.corpora import unknown_labels
    from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
    from re2nn_core.services.rule_writing.classification.material import material_of, with_guesses
    from re2nn_core.services.rule_writing.classification.proposed_changes import Asked, propose_changes
    from re2nn_core.services.rule_writing.classification.rule_coverage import analyse

    report_unknown_labels(unknown_labels(corpus, frozenset(system.logic.labels)), str(path))
    gold, splits = [one.label for one in corpus], [one.split for one in corpus]
    bench = TextBench(corpus.texts, system.tokenization)
    now = analyse(bench, gold, system.rules_text, system.logic_text)
    material = with_guesses(material_of(gold, splits, now.labels), bench.sentences, gold, splits)
    return propose_changes(bench, now, material, splits, Asked(label, most=most))


def _logic_of(found: ProposedChanges) -> dict[str, Any]:
    """What label logic could be added."""
    default = found.default
    return {
        "default": None if default is None else {"label": default.label, "fixed": default.fixed, "of": default.of},
        "priorities": [{"priority": str(one), "fixed": one.fixed, "broken": one.broken} for one in found.priorities],
    }


def _exclusion_shape(one: Exclusion, corpus: Corpus) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "label": one.label,
        "condition": one.condition,
        "unseen": {"removed": one.removed_unseen, "lost": one.lost_unseen},
        "corrected": one.corrected,
        "removed": [corpus.texts[place] for place in one.removed],
        "lost": [corpus.texts[place] for place in one.lost],
    }


def _new_label_shape(one: NewLabel, corpus: Corpus) -> dict[str, Any]:
    return {
        "label": one.label,
        "rule": one.name,
        "expression": one.expression,
        "matches": len(one.texts),
        "of_group": one.within,
        "texts": [corpus.texts[place] for place in one.texts],
    }


def _shape(proposal: Proposal, corpus: Corpus) -> dict[str, Any]:
    texts = corpus.texts
    return {
        "rule": proposal.name,
        "label": proposal.label,
        "expression": proposal.expression,
        "unseen": {"fixed": proposal.fixed_unseen, "broken": proposal.broken_unseen},
        "guessed": {"fixed": proposal.fixed_guessed, "broken": proposal.broken_guessed},
        "matches": proposal.matches,
        "correct": proposal.correct,
        "splits": _by_split(proposal, corpus),
        "fixed": [texts[place] for place in proposal.fixed],
        "broken": [texts[place] for place in proposal.broken],
    }


def _by_split(proposal: Proposal, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Texts fixed and broken in each split that the file names."""
    splits = list(dict.fromkeys(one.split for one in corpus if one.split is not None))
    named = [one.split for one in corpus]
    return {
        split: {
            "fixed": sum(named[place] == split for place in proposal.fixed),
            "broken": sum(named[place] == split for place in proposal.broken),
        }
        for split in splits
    }


def _write(system: RuleSystem, proposals: Sequence[NewRule], outputs: _Outputs) -> dict[str, Any]:
    """Write the rules with all proposals, where a file was given for them."""
    if outputs.rules is None or outputs.logic_path is None:
        return {}
    from re2nn_core.services.rule_writing.classification.proposals import with_proposals

    rules_text, logic_text = with_proposals(system, proposals)
    files = {outputs.rules: rules_text}
    if logic_text.strip():
        files[outputs.logic_path] = logic_text
    write_together(files)
    return {"output": str(outputs.rules), "logic_output": str(outputs.logic_path) if logic_text.strip() else None}


def _report(
    proposals: Sequence[Proposal], corpus: Corpus, outputs: _Outputs, written: dict[str, Any], options: str
) -> str:
    if not proposals:
        return (
            "No rule is proposed: no word or phrase fixes texts that it was not made from. Label more texts, or write "
            "a rule for those that are missed."
        )
    guessed = any(one.fixed_guessed or one.broken_guessed for one in proposals)
    rows = [
        [
            one.label,
            one.name,
            f"+{one.fixed_unseen} -{one.broken_unseen}",
            *([f"+{one.fixed_guessed} -{one.broken_guessed}"] if guessed else []),
            f"{one.correct:,} of {one.matches:,}",
            *(f"+{part['fixed']} -{part['broken']}" for part in _held_out(one, corpus).values()),
        ]
        for one in proposals
    ]
    head = ["label", "rule", "unseen texts", *(["guessed texts"] if guessed else []), "correct"]
    parts = [
        table([*head, *_held_out(proposals[0], corpus)], rows),
        *([_GUESSED] if guessed else []),
        "",
        *(line for one in proposals for line in _lines_of(one, corpus)),
    ]
    return "\n".join([*parts, _next(len(proposals), outputs, written, options)])


def _exclusions(found: Sequence[Exclusion], corpus: Corpus) -> list[str]:
    """What rules should leave out."""
    if not found:
        return []
    lines = ["Proposed conditions, which -o does not write:"]
    for one in found:
        removed, lost = counted(len(one.removed), "incorrect prediction"), counted(len(one.lost), "correct one")
        corrected = f" ({one.corrected:,} correct then)" if one.corrected else ""
        lines.append(f"{one.rule} [{one.label}]: {one.condition}")
        lines.append(
            f"    {removed} fewer{corrected}, {lost} lost; unseen texts +{one.removed_unseen} -{one.lost_unseen}"
        )
        lines += [f"    excludes: {corpus.texts[place]}" for place in one.removed[:1]]
    return ["\n".join(lines)]


def _groups(found: Sequence[NewLabel], corpus: Corpus, outputs: _Outputs, written: dict[str, Any], options: str) -> str:
    lines = ["No text has a label that rules could be proposed for. Groups of alike texts, each with a new label:", ""]
    for one in found:
        matched = f"{counted(len(one.texts), 'text')}, {one.within:,} of one group"
        lines += [f"[{one.label}]", f"{one.name} := {one.expression}", f"    matches {matched}"]
        lines += [*(f"    matches: {corpus.texts[place]}" for place in one.texts[:_TEXTS_SHOWN]), ""]
    return "\n".join([*lines, _next(len(found), outputs, written, options).partition("\n")[2]])


def _label_logic(logic: dict[str, Any]) -> list[str]:
    """What could be added to the label logic, with what it does, as lines of its file."""
    lines = []
    if (default := logic["default"]) is not None:
        fixes = f"fixes {default['fixed']:,} of {counted(default['of'], 'text')} without a label"
        lines.append(f'default = "{default["label"]}"    # {fixes}')
    if logic["priorities"]:
        rows = [f'    "{one["priority"]}",    # +{one["fixed"]} -{one["broken"]}' for one in logic["priorities"]]
        lines += ["priorities = [", *rows, "]"]
    return ["\n".join(["Proposed for the label logic, which -o does not write:", *lines])] if lines else []


def _held_out(proposal: Proposal, corpus: Corpus) -> dict[str, dict[str, int]]:
    return {split: part for split, part in _by_split(proposal, corpus).items() if split != "train"}


def _lines_of(proposal: Proposal, corpus: Corpus) -> list[str]:
    texts = [corpus.examples[place].text for place in proposal.fixed[:_TEXTS_SHOWN]]
    return [f"[{proposal.label}]", f"{proposal.name} := {proposal.expression}", *(f"    fixes: {t}" for t in texts), ""]


def _next(count: int, outputs: _Outputs, written: dict[str, Any], options: str) -> str:
    unseen = "Unseen texts: labelled texts that a rule was not made from; + fixed, - broken."
    if not written:
        return f"{unseen}\nAdd -o FILE to write the rules with {'it' if count == 1 else 'all of them'}."
    logic = f" --logic {outputs.logic_path}" if written["logic_output"] else ""
    return (
        f"{unseen}\nWritten: {outputs.rules} with {counted(count, 'proposed rule')}. Next:\n"
        f"    re2nn evaluate --rules {outputs.rules}{logic} --data FILE{options}"
    )
