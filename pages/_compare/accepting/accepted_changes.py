"""The changes of a reconstruction that the team has accepted: which rules, and what they do on all texts, against the
newest version."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from pages._compare.accepting.conflicts import Conflicts, conflicts_of
from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved
from pages._compare.accepting.gains import Gain
from pages._compare.accepting.held_out import HeldOutGains, held_out_gains
from pages._compare.accepting.measured import Measured, labelled_splits, moves_of
from pages._compare.accepting.repairs import repairs_among
from pages._compare.newest import Newest
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._shared.cached.word_counts import seen_words
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import get_version, latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import EDITED, Acceptance
from re2nn_core.services.rule_review.change_effects import ChangeEffect, best_first
from re2nn_core.services.rule_review.change_repairs import CountedRepairs, Repairs
from re2nn_core.services.rule_review.decisions import (
    UNDECIDED,
    ChangeDecision,
    LearnedChange,
    ReviewState,
    adds_only_common,
    decisions_of,
)
from re2nn_core.services.rule_review.edited_rules import unreadable_edits, with_edited_rules
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_review.patterns import BetterWithout
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

_UNTAKEN = (ReviewState.OPEN, ReviewState.REJECTED)  # what may be accepted still
Better = Callable[[Compared[Found, System], str, ChangeEffect, frozenset[int]], BetterWithout | None]


@dataclass(frozen=True)
class Accepting(Generic[Found, System, Analysed, Moved]):
    """What accepting changes is about.

    changed     the names of the rules that changed or are new
    accept      these rules accepted into a version
    learned     the change of a rule, told from other changes of it
    with_texts  a comparison whose reconstructed rules are these, some of them edited
    better      without which patterns a new rule with this effect is better, judged by the texts at some places
    whole       whether all changes are accepted at once or none
    remark      what the button that saves also brings, as HTML
    """

    evaluation: Evaluation[Analysed, Moved]
    changed: Callable[[Compared[Found, System]], frozenset[str]]
    accept: Callable[[ProjectRecord, Compared[Found, System], Collection[str], RuleVersion], Acceptance]
    learned: Callable[[Compared[Found, System], str], LearnedChange]
    with_texts: Callable[[Compared[Found, System], str, Collection[str]], Compared[Found, System]]
    better: Better[Found, System] = lambda *_: None
    whole: Callable[[Compared[Found, System]], bool] = lambda _: False
    remark: Callable[[Compared[Found, System]], str] = lambda _: ""


@dataclass(frozen=True)
class AcceptedChanges(Generic[Found, System, Analysed, Moved]):
    """What stands of each change.

    decisions  what the team decided, by rule
    chosen     the rules that were accepted, as learned or edited, and are not in the newest version yet
    accepted   the rules with them
    offered    the rules with every change that can be accepted
    conflicts  the changes that test sentences of the rules stand against
    held_out   the effect of each change alone, in the form in which it is reviewed
    learned    the effects as they were learned of the changes that are reviewed in another form
    before     the analysis of the newest version, `now` of the rules with what is accepted
    lost_edits the rules whose edit cannot be read any more: their changes are open again
    taken      the comparison with rules in the form in which they are reviewed and accepted
    repairs    the changes that repair what others break
    leaner     the new rules that are better without some of their patterns, and are reviewed and accepted without these
    as_advised those of them that were accepted so: nobody edited them
    """

    how: Accepting[Found, System, Analysed, Moved]
    project: ProjectRecord
    compared: Compared[Found, System]
    newest: RuleVersion
    decisions: Mapping[str, ChangeDecision]
    chosen: frozenset[str]
    accepted: Acceptance
    offered: Acceptance
    conflicts: Conflicts
    held_out: HeldOutGains
    learned: HeldOutGains
    before: Any
    now: Any
    lost_edits: frozenset[str]
    taken: Compared[Found, System]
    repairs: Repairs = field(default_factory=dict)
    leaner: Mapping[str, BetterWithout] = field(default_factory=dict)
    as_advised: frozenset[str] = frozenset()

    @property
    def gaining(self) -> tuple[str, ...]:
        """The open changes that gain by themselves on held-out texts, hardly by chance, and that no test sentence is
        against; and those that repair what these or the accepted ones break."""
        return tuple(name for name in self._open if self._gains(name) or self.repairs_clearly(name))

    def _gains(self, name: str) -> bool:
        return self.held_out.improves(name) and not self.held_out.weak(name)

    @property
    def counted_repairs(self) -> CountedRepairs:
        """What changes repair of others, but for those that were rejected."""
        return CountedRepairs(self.repairs, self._counts, self._stands, self.held_out.loses)

    def repairs_clearly(self, name: str) -> bool:
        """Whether what the change of a rule repairs recommends it."""
        return self.counted_repairs.clearly(name)

    def _stands(self, name: str) -> bool:
        """Whether a change was accepted, or is recommended for what it gains."""
        return name in self.chosen or name in self.offered.there or (name in self._open and self._gains(name))

    def _counts(self, name: str) -> bool:
        there = name in self.offered.accepted or name in self.offered.there
        return there and self.decision(name).state is not ReviewState.REJECTED

    @property
    def undecided(self) -> tuple[str, ...]:
        """The changes that can be accepted and about which nothing is decided."""
        return tuple(name for name in self.offered.accepted if self.decision(name).state is ReviewState.OPEN)

    @property
    def thin(self) -> tuple[str, ...]:
        """The open changes that gain on held-out texts, maybe by chance."""
        return tuple(name for name in self._open if self.held_out.improves(name) and self.held_out.weak(name))

    @property
    def _open(self) -> tuple[str, ...]:
        return tuple(name for name in self.undecided if name not in self.conflicts)

    @property
    def recommended(self) -> Compared[Found, System]:
        """The comparison with new rules in their recommended form where they are reviewed so, without anybody's
        edits."""
        forms = {name: one.text for name, one in self.leaner.items()}
        return _in_forms(self.how, self.compared, forms, lowercase=self.project.tokenization.lowercase)

    def measured(self, names: Collection[str]) -> Measured:
        """The figures of the newest rules, and with some changes; those of the split that decides in front."""
        found = self.how.evaluation.measured(self.before, self._analysed_with(names), self.compared.records)
        return sorted(found, key=lambda one: one[0] != self.held_out.split)

    def gain(self, names: Collection[str], split: str) -> Gain:
        """Of how many texts of a split some changes make the newest rules predict better, and worse; and the interval
        of the gain."""
        now, evaluation, records = self._analysed_with(names), self.how.evaluation, self.compared.records
        places = dict(labelled_splits(records)).get(split, [])
        moves = moves_of(evaluation.effect(now, self.before), records).get(split, SplitMoves(0, 0, 0))
        return Gain(moves, evaluation.interval(self.before, now, places) if places else None)

    def _analysed_with(self, names: Collection[str]) -> Any:
        return self.how.evaluation.of(self.project, self.how.accept(self.project, self.taken, names, self.newest))

    def decision(self, name: str) -> ChangeDecision:
        """What stands of the change of a rule."""
        return self.decisions.get(name, UNDECIDED)

    def why_not(self, name: str, newest: Newest) -> str:
        """Why the change of a rule cannot be accepted; empty where it can."""
        why = dict(self.offered.refused).get(name, "")
        return newest.left_because(name, why) if why == EDITED else why


def accepted_changes(
    how: Accepting[Found, System, Analysed, Moved], project: ProjectRecord, compared: Compared[Found, System]
) -> AcceptedChanges[Found, System, Analysed, Moved]:
    """What was accepted of a comparison. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    changed = how.changed(compared)
    decisions = decisions_of(store(), project.id, [how.learned(compared, name) for name in sorted(changed)])
    lowercase = project.tokenization.lowercase
    edited = {name: one.text for name, one in decisions.items() if one.state is ReviewState.EDITED}
    lost = unreadable_edits(compared.found.rules_text, edited, lowercase=lowercase)
    decisions |= dict.fromkeys(lost, UNDECIDED)
    edited = {name: text for name, text in edited.items() if name not in lost}
    taken = _in_forms(how, compared, edited, lowercase=lowercase)
    offered = how.accept(project, taken, changed, newest)
    conflicts: Conflicts = {}
    alone = learned = HeldOutGains()
    repairs: Repairs = {}
    leaner: dict[str, BetterWithout] = {}
    as_advised = frozenset[str]()
    if not how.whole(compared):
        trained = _trained_version(compared, newest)
        versions = {name: newest if name in offered.accepted else trained for name in changed}
        waiting = frozenset(name for name in offered.accepted if decisions[name].state in _UNTAKEN)
        asked = {name: versions[name] for name in (*waiting, *edited)}
        better = _better_forms(how, compared, _held_out(how, project, compared, asked))
        as_advised = frozenset(name for name, one in better.items() if edited.get(name) == one.text)
        leaner = {name: one for name, one in better.items() if name in waiting or name in as_advised}
        if leaner:
            forms = edited | {name: one.text for name, one in leaner.items()}
            taken = _in_forms(how, compared, forms, lowercase=lowercase)
            offered = how.accept(project, taken, changed, newest)
        conflicts = conflicts_of(project, newest, offered)
        alone = _held_out(how, project, taken, versions)
        learned = _held_out(how, project, compared, {name: versions[name] for name in (*edited, *leaner)})
        repairs = _repairs(how, project, taken, versions, alone)
    chosen = changed if how.whole(compared) else frozenset(name for name in changed if decisions[name].state.taken)
    accepted = how.accept(project, taken, chosen, newest)
    before, now = (how.evaluation.of(project, rules) for rules in (newest, accepted))
    return AcceptedChanges(
        how=how,
        project=project,
        compared=compared,
        newest=newest,
        decisions=decisions,
        chosen=chosen,
        accepted=accepted,
        offered=offered,
        conflicts=conflicts,
        held_out=alone,
        learned=learned,
        before=before,
        now=now,
        lost_edits=lost,
        taken=taken,
        repairs=repairs,
        leaner=leaner,
        as_advised=as_advised,
    )


def _in_forms(
    how: Accepting[Found, System, Analysed, Moved],
    compared: Compared[Found, System],
    forms: Mapping[str, str],
    *,
    lowercase: bool,
) -> Compared[Found, System]:
    """A comparison whose reconstructed rules of these names are as given."""
    if not forms:
        return compared
    text = with_edited_rules(compared.found.rules_text, forms, lowercase=lowercase)
    return how.with_texts(compared, text, forms)


def _better_forms(
    how: Accepting[Found, System, Analysed, Moved], compared: Compared[Found, System], learned: HeldOutGains
) -> dict[str, BetterWithout]:
    """The rules that are better without some of their patterns, among those whose effect was measured."""
    if learned.split is None:
        return {}
    found = {name: how.better(compared, name, effect, learned.places) for name, effect in learned.effects.items()}
    return {name: one for name, one in found.items() if one is not None}


def _trained_version(compared: Compared[Found, System], newest: RuleVersion) -> RuleVersion:
    """The version that the network was trained from; the newest one where the network was edited since."""
    run = compared.run
    trained = None if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    return newest if trained is None or trained.rules_text != compared.trained_on else trained


def _held_out(
    how: Accepting[Found, System, Analysed, Moved],
    project: ProjectRecord,
    compared: Compared[Found, System],
    versions: Mapping[str, RuleVersion],
) -> HeldOutGains:
    """The effect of the change of each rule in a version. Open changes are measured in the newest one, which they would
    be saved into; one that is there already has no effect in it, and keeps that in the version trained from."""

    def accept(name: str) -> Acceptance:
        return how.accept(project, compared, {name}, versions[name])

    def only_common(name: str, held: frozenset[int]) -> bool:
        seen = seen_words(compared.records, held, project.tokenization, spans=how.evaluation.of_spans)
        return adds_only_common(how.learned(compared, name), seen)

    return held_out_gains(how.evaluation, project, compared.run, compared.records, versions, accept, only_common)


def _repairs(
    how: Accepting[Found, System, Analysed, Moved],
    project: ProjectRecord,
    taken: Compared[Found, System],
    versions: Mapping[str, RuleVersion],
    alone: HeldOutGains,
) -> Repairs:
    """Which of the changes repair what others break; nothing where no text is held out to judge that."""
    if alone.split is None:
        return {}
    return repairs_among(
        how.evaluation,
        project,
        taken,
        versions,
        alone,
        lambda names, version: how.accept(project, taken, names, version),
    )


def changes_in_order(trial: AcceptedChanges[Any, Any, Any, Any]) -> tuple[str, ...]:
    """The changed and new rules in the order of the review, where an edit moves none."""
    order = (rule.name for rule in trial.compared.reconstructed.ruleset.rules)
    return best_first({**trial.held_out.effects, **trial.learned.effects}, order, trial.held_out.places)
