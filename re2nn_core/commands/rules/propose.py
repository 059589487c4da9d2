"""propose: rules that would fix texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import (
    TABLES,
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
    slot_case_option,
    tokenization_options,
)
from re2nn_core.commands._common.slot_filling.data import bytes_of_input
from re2nn_core.commands._common.sources import Sources, text_without_rules, with_sources
from re2nn_core.commands._common.written_files import overwrite_option, refuse_existing_rules, refuse_outputs
from re2nn_core.commands.rules.proposed_text import Next, WrittenFiles, by_split, in_short, proposed_text
from re2nn_core.commands.rules.slot_filling.propose import SlotsAsked, SlotsWithoutRules, propose_slot_rules
from re2nn_core.errors import InputError
from re2nn_core.files import write_together
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.services.rule_writing.classification.accepted_together import AcceptedTogether
    from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
    from re2nn_core.services.rule_writing.classification.proposals import Proposal
    from re2nn_core.services.rule_writing.classification.proposed_changes import ProposedChanges
    from re2nn_core.services.rule_writing.classification.unlabelled_texts import NewLabel
    from re2nn_core.text.corpus import Corpus


@dataclass(frozen=True)
class _Outputs:
    rules: Path | None
    logic: Path | None

    @property
    def logic_path(self) -> Path | None:
        """Where label logic is written, where it is."""
        return self.logic or (self.rules and self.rules.with_suffix(".logic.toml"))


@click.command("propose", cls=GroupedCommand)
@click.option(
    "--rules", "rules_path", type=PATH, help="The rule file. Without one, or with an empty one: from no rule at all."
)
@logic_option
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts with labels, or with spans.")
@click.option("--label", help="Propose rules for this label alone.")
@click.option("--slot", help="Propose rules for this slot alone.")
@click.option("--most", type=click.IntRange(1, 100), default=10, show_default=True, help="Show so many at most.")
@click.option("-o", "--output", type=PATH, help="File for the rules with all that is proposed.")
@click.option("--logic-output", type=PATH, help="File for their label logic (TOML). [default: next to the rules]")
@overwrite_option
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

    Words and phrases of the texts that the rules get wrong, as rules of a few alternatives; for slots, values
    and contexts of annotated spans that the rules miss. The one that gains most on texts that it was not made from
    comes first. Texts of the splits dev and test make no rule; what a proposal fixes and breaks there is shown.
    For rules with incorrect predictions a condition is proposed that excludes them. Where no text has a label, rules
    are proposed for groups of alike texts. Priorities and a default label are proposed for the label logic.
    -o writes all of this, except what gains nothing with the other proposals.
    `re2nn help propose-rules` explains how they are found.

    \b
    Example: re2nn propose --data texts.tsv -o first_rules.txt
             re2nn propose --rules rules.txt --logic logic.toml --data texts.tsv
             re2nn propose --rules rules.txt --data texts.tsv --label fare -o more_rules.txt
             re2nn propose --rules slot_rules.txt --data texts.jsonl --slot city
    """
    if logic_output is not None and output is None:
        raise InputError("--logic-output needs -o, the file for the rules. Give both, or neither.")
    outputs = _Outputs(output, logic_output)
    beside = {} if logic_output or outputs.logic_path is None else {"logic_output": outputs.logic_path}
    refuse_outputs("output", "logic_output", **beside)
    refuse_existing_rules(output, outputs.logic_path)
    without_rules = text_without_rules(sources)
    content = None if without_rules is None else bytes_of_input(data_path, TABLES)
    if _task(sources, slot, data_path.name, content) is Task.SLOT_FILLING:
        asked = SlotsAsked(slot, most, (output, outputs.logic_path))
        return propose_slot_rules(sources, data_path, asked, reading, SlotsWithoutRules(without_rules, content))
    refuse_given(Task.CLASSIFICATION, "slot", "ignore_slot_case")
    system = _system(sources, without_rules)
    corpus = read_label_texts(data_path, reading, data=content).corpus
    found, accepted = _proposals(system, corpus, label, most, data_path)
    written = _write(accepted, outputs)
    data = {
        "proposals": [_shape(one, corpus) for one in found.rules],
        "exclusions": [_exclusion_shape(one, corpus) for one in found.exclusions],
        "new_labels": [_new_label_shape(one, corpus) for one in found.new_labels],
        **_logic_of(found),
        **({} if written is None else _written_shape(written)),
    }
    text = proposed_text(found, corpus, output, written, Next(data_path, unlike_defaults(system.tokenization)))
    return CommandResult(data, text)


def _task(sources: Sources, slot: str | None, name: str, content: bytes | None) -> Task:
    """That of the rules; without rules, that of the texts, or of the option that was written."""
    if content is None:
        return sources.task
    from re2nn_core.exchange.slot_filling.corpora import looks_like_slots

    return Task.SLOT_FILLING if slot is not None or looks_like_slots(content, name) else Task.CLASSIFICATION


def _system(sources: Sources, text: str | None) -> RuleSystem:
    """The rules, and their label logic; `text` where they are none."""
    from re2nn_core.services.rule_systems.classification.sources import load_without_rules

    if text is None:
        return rules_and_network(sources).system
    return load_without_rules(text, sources.logic, sources.tokenization or Tokenization()).system()


def _proposals(
    system: RuleSystem, corpus: Corpus, label: str | None, most: int, path: Path
) -> tuple[ProposedChanges, Callable[[], AcceptedTogether]]:
    """What is proposed, and how all of it is accepted."""
    from re2nn_core.exchange.corpora import unknown_labels
    from re2nn_core.services.rule_writing.classification import proposed_changes
    from re2nn_core.services.rule_writing.classification.accepted_together import accept_together
    from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
    from re2nn_core.services.rule_writing.classification.material import material_of, with_guesses
    from re2nn_core.services.rule_writing.classification.rule_coverage import analyse_system

    if system.ruleset.rules:
        report_unknown_labels(unknown_labels(corpus, frozenset(system.logic.labels)), str(path))
    gold, splits = [one.label for one in corpus], [one.split for one in corpus]
    bench = TextBench(corpus.texts, system.tokenization)
    now = analyse_system(bench, gold, system)
    material = with_guesses(material_of(gold, splits, now.labels), bench.sentences, gold, splits)
    wanted = proposed_changes.Asked(label, most=most)
    found = proposed_changes.propose_changes(bench, now, material, splits, wanted)
    return found, lambda: accept_together(bench, now, material, found)


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
        "unseen": {"fixed": one.fixed_unseen, "broken": one.broken_unseen, "removed": one.removed_unseen},
        "splits": _by_split(one, corpus),
        "fixed": [corpus.texts[place] for place in one.fixed],
        "broken": [corpus.texts[place] for place in one.broken],
        "removed": [corpus.texts[place] for place in one.removed],
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


def _by_split(proposal: Proposal | Exclusion, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Texts fixed and broken in each split that the file names."""
    return {split: {"fixed": fixed, "broken": broken} for split, fixed, broken in by_split(proposal, corpus)}


def _write(accept: Callable[[], AcceptedTogether], outputs: _Outputs) -> WrittenFiles | None:
    """Write all that is proposed, where a file was given for it; None where there is nothing to write."""
    if outputs.rules is None or outputs.logic_path is None:
        return None
    accepted = accept()
    if accepted.nothing:
        return None
    files = {outputs.rules: accepted.rules_text}
    if accepted.logic_text.strip():
        files[outputs.logic_path] = accepted.logic_text
    write_together(files)
    return WrittenFiles(accepted, outputs.rules, outputs.logic_path if accepted.logic_text.strip() else None)


def _written_shape(written: WrittenFiles) -> dict[str, Any]:
    return {
        "output": str(written.rules),
        "logic_output": None if written.logic is None else str(written.logic),
        "left_out": [in_short(one) for one in written.accepted.left_out],
    }
