"""The changes of a reconstruction that are accepted: which rules, what they do on all texts, and the buttons that save
them as a new version."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Generic

from pages._compare.accepting.conflicts import Conflicts, conflicts_of, draw_conflicts
from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved
from pages._compare.accepting.held_out import HeldOutGains, held_out_gains
from pages._compare.accepting.measured import loses
from pages._compare.accepting.saving import can_be_alone, draw_alone, draw_left_out, draw_save, together
from pages._compare.accepting.switches import draw_accept_switch, is_accepted, left_alone
from pages._compare.newest import Newest
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import get_version, latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.joined_names import join_names


@dataclass(frozen=True)
class Accepting(Generic[Found, System, Analysed, Moved]):
    """What accepting changes is about.

    changed     the names of the rules that changed
    accept      these rules accepted into a version
    key         what the session knows the switches by
    title       of a switch
    whole       whether all changes are accepted at once or none
    remark      what the button that saves also brings, as HTML
    """

    evaluation: Evaluation[Analysed, Moved]
    changed: Callable[[Compared[Found, System]], frozenset[str]]
    accept: Callable[[ProjectRecord, Compared[Found, System], Collection[str], RuleVersion], Acceptance]
    key: str
    title: str
    whole: Callable[[Compared[Found, System]], bool] = lambda _: False
    remark: Callable[[Compared[Found, System]], str] = lambda _: ""

    def switch_of(self, compared: Compared[Found, System], name: str) -> str:
        """What the session knows the switch of a rule by."""
        return f"{self.key}_{compared.run.id}_{name}"


@dataclass(frozen=True)
class Choice:
    """The rules that are `chosen` of those that changed; `conflicts` are the changes that sentences of the rules stand
    against, `held_out` what each gains by itself on texts that had no part in the training."""

    chosen: frozenset[str]
    conflicts: Conflicts
    accepted: Acceptance
    held_out: HeldOutGains

    @property
    def left_out(self) -> Conflicts:
        """The conflicts that are not accepted."""
        return {name: told for name, told in self.conflicts.items() if name not in self.chosen}

    @property
    def losing(self) -> tuple[str, ...]:
        """The changes that are not accepted as they lose on held-out texts."""
        return tuple(name for name in self.held_out.gains if self.held_out.loses(name) and name not in self.chosen)


@dataclass(frozen=True)
class AcceptedChanges(Choice, Generic[Found, System, Analysed, Moved]):
    """A choice, and what the rules do with it on all texts, against the newest version."""

    how: Accepting[Found, System, Analysed, Moved]
    project: ProjectRecord
    compared: Compared[Found, System]
    newest: RuleVersion
    before: Analysed
    now: Analysed


def accepted_changes(
    how: Accepting[Found, System, Analysed, Moved], project: ProjectRecord, compared: Compared[Found, System]
) -> AcceptedChanges[Found, System, Analysed, Moved]:
    """Accept on trial the changed rules, less those that were left out by hand, and those that sentences stand against,
    or that lose on held-out texts, and nobody has chosen. RuleError and LogicError where the newest version cannot be
    read."""
    newest = latest_version(store(), project.id)
    changed = how.changed(compared)
    accepted = how.accept(project, compared, changed, newest)
    conflicts: Conflicts = {} if how.whole(compared) else conflicts_of(project, newest, accepted)
    alone = HeldOutGains() if how.whole(compared) else _held_out(how, project, compared, newest)
    chosen = frozenset(
        name
        for name in changed
        if is_accepted(how.switch_of(compared, name), against=name in conflicts or alone.loses(name))
    )
    if chosen != changed:
        accepted = how.accept(project, compared, chosen, newest)
    before, now = (how.evaluation.of(project, rules) for rules in (newest, accepted))
    return AcceptedChanges(chosen, conflicts, accepted, alone, how, project, compared, newest, before, now)


def _held_out(
    how: Accepting[Found, System, Analysed, Moved],
    project: ProjectRecord,
    compared: Compared[Found, System],
    newest: RuleVersion,
) -> HeldOutGains:
    """In the rules that the network was trained from, so that the list stays in order while changes are accepted."""
    run, records = compared.run, compared.records
    trained = None if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    version = newest if trained is None or trained.rules_text != compared.trained_on else trained

    def accept(name: str) -> Acceptance:
        return how.accept(project, compared, {name}, version)

    return held_out_gains(how.evaluation, project, run, records, version, how.changed(compared), accept)


def draw_switch(
    how: Accepting[Found, System, Analysed, Moved], compared: Compared[Found, System], name: str, found: Choice | None
) -> None:
    """The switch that accepts a changed rule; nothing where the newest rules have it as it was reconstructed, or all
    changes are accepted at once."""
    if name not in how.changed(compared) or how.whole(compared):
        return
    key = how.switch_of(compared, name)
    if found is None:
        draw_accept_switch(how.title, key)
    elif name not in found.accepted.there:
        against = name in found.conflicts or found.held_out.loses(name)
        draw_accept_switch(how.title, key, refused=name in left_alone(found.accepted), against=against)


def draw_this_alone(found: AcceptedChanges[Found, System, Analysed, Moved], name: str) -> None:
    """The button that accepts this change and no other; nothing where that is what the button for all does, or nothing
    can be accepted."""
    how, project, compared = found.how, found.project, found.compared
    if how.whole(compared) or not can_be_alone(name, found.accepted, found.conflicts):
        return
    accepted = how.accept(project, compared, {name}, found.newest)
    now = how.evaluation.of(project, accepted)

    def draw() -> None:
        how.evaluation.draw_moves(found.before, now, compared.run, compared.records)

    draw_alone(project, compared.run, name, accepted, found.newest, draw)


def draw_accept(found: AcceptedChanges[Found, System, Analysed, Moved], newest: Newest) -> None:
    """What the changes do together, what is left out, and the button that saves them."""
    how, compared = found.how, found.compared
    if found.accepted.accepted:
        html(f'<div class="re2-muted">{together(found.accepted, found.newest)}</div>')
        how.evaluation.draw_figures(found.before, found.now, compared.run, compared.records)
    draw_left_out(found.accepted, newest)
    draw_conflicts(found.left_out)
    if found.losing:
        split = found.held_out.split
        html(
            f'<div class="re2-muted">Not selected, because each loses on {split}: '
            f"{escape(join_names(found.losing))}.</div>"
        )
    if found.accepted.accepted:
        html(how.remark(compared))
        key_of = None if how.whole(compared) else partial(how.switch_of, compared)
        measured = how.evaluation.measured(found.before, found.now, compared.records)
        draw_save(found.project, compared.run, found.accepted, found.newest, key_of, loses=loses(measured))


def draw_texts(found: AcceptedChanges[Found, System, Analysed, Moved], palette: Palette) -> None:
    """The texts whose predictions the changes move."""
    if found.accepted.accepted:
        texts, number = found.compared.records, found.newest.number
        found.how.evaluation.draw_texts(found.now, found.before, texts, palette, number, "the accepted changes")
