"""What `propose` prints for labels: rules, conditions and label logic with what they do, and what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands.rules.proposal_lines import (
    ADD_OUTPUT,
    NOT_WRITTEN,
    RuleRow,
    condition_lines,
    rules_table,
    signed,
)
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

if TYPE_CHECKING:
    from re2nn_core.services.rule_writing.classification.accepted_together import AcceptedTogether, Further
    from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
    from re2nn_core.services.rule_writing.classification.proposals import DefaultLabel, NewRule, Priority, Proposal
    from re2nn_core.services.rule_writing.classification.proposed_changes import ProposedChanges
    from re2nn_core.services.rule_writing.classification.unlabelled_texts import NewLabel
    from re2nn_core.text.corpus import Corpus

_TEXTS_SHOWN = 3
_GUESSED = "Guessed texts: unlabelled texts, whose labels are guessed from the labelled ones."
_UNSEEN = "Unseen texts: labelled texts that a proposal was not made from; + fixed, - broken."
_NOTHING = (
    "No rule is proposed: no word or phrase fixes texts that it was not made from. Label more texts, or write a rule "
    "for those that are missed."
)
_LOGIC_FIRST = (
    "No rule is proposed with this label logic: no word or phrase fixes texts that it was not made from. Accept what "
    "is proposed for the label logic, and propose again."
)


@dataclass(frozen=True)
class WrittenFiles:
    """What was accepted and written, and to which files; the label logic to none where there is none."""

    accepted: AcceptedTogether
    rules: Path
    logic: Path | None


@dataclass(frozen=True)
class Next:
    """The parts of the next commands: the file of texts, and options that tokenize as before."""

    data: Path
    options: str


def proposed_text(
    found: ProposedChanges, corpus: Corpus, output: Path | None, written: WrittenFiles | None, go: Next
) -> str:
    """All that is proposed. `output`: the file that was asked for; `written`: None where there was nothing to write."""
    parts = [_groups(found.new_labels, corpus) if found.new_labels else _rules(found, corpus)]
    parts += _exclusions(found.exclusions, corpus)
    parts += _label_logic(found.default, found.priorities)
    if found.rules or found.exclusions:
        parts.append(_UNSEEN)
    if written is not None:
        parts.append(_written(written, go))
    elif output is not None:
        parts.append(f"Nothing was written to {output}: {_why_nothing(found)}")
    elif not found.nothing:
        parts.append(ADD_OUTPUT)
    return "\n\n".join(parts)


def _why_nothing(found: ProposedChanges) -> str:
    if found.nothing:
        return "nothing is proposed."
    return "label logic alone predicts nothing. Write a first rule, and propose again."


def _rules(found: ProposedChanges, corpus: Corpus) -> str:
    proposals = found.rules
    if not proposals:
        return _LOGIC_FIRST if found.priorities or found.default else _NOTHING
    rows = [
        RuleRow(
            one.label,
            one.name,
            (one.fixed_unseen, one.broken_unseen),
            (one.fixed_guessed, one.broken_guessed),
            one.correct,
            one.matches,
            held_out_splits(one, corpus),
        )
        for one in proposals
    ]
    rules, guessed = rules_table("label", "texts", rows)
    lines = [rules, *([_GUESSED] if guessed else []), ""]
    lines += [line for one in proposals for line in _lines_of(one, corpus)]
    return "\n".join(lines).rstrip("\n")


def _lines_of(proposal: Proposal, corpus: Corpus) -> list[str]:
    texts = list(dict.fromkeys(corpus.examples[place].text for place in proposal.fixed))[:_TEXTS_SHOWN]
    return [f"[{proposal.label}]", f"{proposal.name} := {proposal.expression}", *(f"    fixes: {t}" for t in texts), ""]


def by_split(proposal: Proposal | Exclusion, corpus: Corpus) -> list[tuple[str, int, int]]:
    """(split, fixed, broken) of each split that the file names."""
    named = [one.split for one in corpus]
    fixed, broken = (Counter(named[place] for place in places) for places in (proposal.fixed, proposal.broken))
    return [(split, fixed[split], broken[split]) for split in dict.fromkeys(named) if split is not None]


def held_out_splits(proposal: Proposal | Exclusion, corpus: Corpus) -> list[tuple[str, int, int]]:
    """The same of splits that made no proposal."""
    return [part for part in by_split(proposal, corpus) if part[0] != "train"]


def _exclusions(found: Sequence[Exclusion], corpus: Corpus) -> list[str]:
    """What rules should leave out."""
    if not found:
        return []
    lines = ["Proposed conditions:"]
    for one in found:
        removed = counted(len(one.removed), "incorrect one")
        lines += condition_lines(
            f"{one.rule} [{one.label}]: {one.condition}",
            f"unseen texts {signed((one.fixed_unseen, one.broken_unseen))}",
            held_out_splits(one, corpus),
            f"all labelled texts {signed((len(one.fixed), len(one.broken)))}",
            more=[f"no prediction in place of {removed}"] if len(one.removed) else [],
            excluded=[corpus.texts[place] for place in (*one.fixed[:1], *one.removed[:1])],
        )
    return ["\n".join(lines)]


def _groups(found: Sequence[NewLabel], corpus: Corpus) -> str:
    lines = ["No rule is proposed from labelled texts. Groups of alike texts, each with a new label:", ""]
    for one in found:
        matched = f"{counted(len(one.texts), 'text')}, {one.within:,} of one group"
        lines += [f"[{one.label}]", f"{one.name} := {one.expression}", f"    matches {matched}"]
        texts = list(dict.fromkeys(corpus.texts[place] for place in one.texts))[:_TEXTS_SHOWN]
        lines += [*(f"    matches: {text}" for text in texts), ""]
    return "\n".join(lines).rstrip("\n")


def _label_logic(default: DefaultLabel | None, priorities: Sequence[Priority]) -> list[str]:
    """What could be added to the label logic, with what it does, as lines of its file."""
    lines = []
    if default is not None:
        lines.append(f'default = "{default.label}"    # fixes {default.fixed:,} {default.reach}')
    if priorities:
        rows = [f'    "{one}",    # +{one.fixed} -{one.broken}' for one in priorities]
        lines += ["priorities = [", *rows, "]"]
    return ["\n".join(["Proposed for the label logic:", *lines])] if lines else []


def _written(written: WrittenFiles, go: Next) -> str:
    """What is in which file, what was left out and why, and what to do next."""
    accepted = written.accepted
    logic_alone, conditions = _kinds(accepted.further)
    of_rules = [*([counted(len(accepted.rules), "proposed rule")] if accepted.rules else []), *conditions]
    lines = [f"Written: {written.rules} with {' and '.join(of_rules) or 'the rules as they were'}."]
    if written.logic is not None:
        lines.append(f"Written: {written.logic} with {' and '.join(logic_alone) or 'the label logic as it was'}.")
    if accepted.left_out:
        lines.append(NOT_WRITTEN.format(left_out_text(accepted.left_out)))
    logic = f" --logic {written.logic}" if written.logic is not None else ""
    step, data = ("evaluate", "FILE") if accepted.rules else ("propose", go.data)
    return "\n".join([*lines, "Next:", f"    re2nn {step} --rules {written.rules}{logic} --data {data}{go.options}"])


def _kinds(further: Iterable[Further]) -> tuple[list[str], list[str]]:
    """What was accepted for label logic, and conditions, in words."""
    from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
    from re2nn_core.services.rule_writing.classification.proposals import DefaultLabel, Priority

    every = tuple(further)
    priorities = sum(isinstance(one, Priority) for one in every)
    conditions = sum(isinstance(one, Exclusion) for one in every)
    labels = [one.label for one in every if isinstance(one, DefaultLabel)]
    logic = [counted(priorities, "priority", "priorities")] if priorities else []
    logic += [f"the default label '{label}'" for label in labels]
    return logic, [counted(conditions, "condition")] if conditions else []


def left_out_text(further: Iterable[Further | NewRule]) -> str:
    """What was left out, by what it is; rules together."""
    from re2nn_core.services.rule_writing.classification.proposals import NewRule

    every = tuple(further)
    rules = [one.name for one in every if isinstance(one, NewRule)]
    others = [in_short(one) for one in every if not isinstance(one, NewRule)]
    named = [f"the rule{'' if len(rules) == 1 else 's'} {join_names(rules)}"] if rules else []
    return ", ".join([*others, *named])


def in_short(one: Further | NewRule) -> str:
    """One proposal on half a line."""
    from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
    from re2nn_core.services.rule_writing.classification.proposals import DefaultLabel, NewRule

    if isinstance(one, NewRule):
        return f"the rule {one.name}"

    if isinstance(one, DefaultLabel):
        return f"the default label '{one.label}'"
    return f"the condition of {one.rule}" if isinstance(one, Exclusion) else f"the priority {one}"
