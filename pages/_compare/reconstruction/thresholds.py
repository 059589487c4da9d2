"""The threshold moved by hand: rule, automaton, accuracy and agreement follow."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._compare.accepting.taking import draw_figures
from pages._compare.accepting.training_analysis import analysis
from pages._compare.drawing.words import rule_html
from pages._compare.newest import Newest
from pages._compare.reconstructed.classification import Compared
from pages._compare.reconstruction.threshold_parts import (
    TRYING,
    choose_threshold,
    draw_curve,
    draw_taking_over,
    tell_choice,
    tell_trial,
    wants_to_explore,
    working_at,
)
from pages._compare.split_names import dev_name
from pages._rules.effect import draw_effect
from pages._shared.cached.models import network_of
from pages._shared.components.progress import Tell, kept_with_progress
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, figures, html
from re2nn_core.plots.automaton import automaton_dot, refusal
from re2nn_core.plots.thresholds import ThresholdPoint
from re2nn_core.services.fine_tuning.runs import bundle_stamp, fingerprint
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange, SplitAccuracy
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    is_merged,
    rule_pieces_of,
    word_change,
)
from re2nn_core.services.rule_review.classification.threshold_file import kept_or_explored
from re2nn_core.services.rule_review.classification.thresholds import AtThreshold, Explorer, MachineAt
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.values.rules import read_rules
from re2nn_core.services.values.stored import ProjectRecord


@st.fragment
def draw_thresholds(
    project: ProjectRecord, compared: Compared, change: RuleChange, newest: Newest, palette: Palette
) -> None:
    """A switch, and behind it the slider with all that follows from it; a move runs this part alone."""
    if not wants_to_explore(compared.run.id):
        return
    with messages.guard("Exploring thresholds"), st.container(border=True):
        explorer = _explorer(compared)
        threshold, alone = choose_threshold(compared.run.id, explorer.thresholds, explorer.chosen)
        with working_at(threshold):
            moving = change.name if alone else None
            found = explorer.at(threshold, moving)
            tell_trial(threshold, moving, newest.titles[0])
            _draw_figures(compared, explorer, found, dev_name(compared.run, compared.records))

            def sides(accepted: Acceptance) -> tuple[Analysis, Analysis]:
                versions = newest.version, accepted
                before, now = (analysis(project, one.rules_text, one.logic_text) for one in versions)
                return before, now

            def figures_of(accepted: Acceptance) -> None:
                draw_figures(*sides(accepted), compared)

            def texts_of(accepted: Acceptance, what: str) -> None:
                before, now = sides(accepted)
                draw_effect(now, before, compared.records, palette, newest.version.number, what)

            draw_taking_over(
                project,
                compared.run,
                newest,
                found,
                compared.trained_on,
                alone=alone,
                draw_figures=figures_of,
                draw_texts=texts_of,
            )
            _draw_rule(compared, change, found)


def _explorer(compared: Compared) -> Explorer:
    """Of the network and texts as they are; a version of the rules that is saved changes nothing in it."""
    run, records = compared.run, compared.records
    key = "thresholds", run.folder.as_posix(), bundle_stamp(run.folder), fingerprint(records)

    def work(tell: Tell) -> Explorer:
        return kept_or_explored(network_of(run), run.folder, records, on_progress=tell)

    return kept_with_progress(key, *TRYING, work)


def _beside(compared: Compared, best: AtThreshold, dev: str) -> str:
    """What the rules read back above come to beside one threshold for all, and why they are the ones offered."""
    own, one = (_shares(splits, dev) for splits in (compared.found.accuracy, best.accuracy))
    return (
        f"The rules read back above have a threshold each, chosen on dev and train texts together: {own}. "
        f"One for all, {best.threshold:.2f}: {one}. Few dev texts favour either by chance; what is better on train "
        "too is the safer one."
    )


def _shares(splits: Sequence[SplitAccuracy], dev: str) -> str:
    shown = ((part.split, part.reconstructed) for part in splits if part.split in ("dev", "train"))
    return ", ".join(
        f"{share:.1%} on {dev if split == 'dev' else split}" for split, share in shown if share is not None
    )


def _draw_figures(compared: Compared, explorer: Explorer, found: AtThreshold, name: str) -> None:
    dev = found.accuracy[0]
    shown = [
        (f"{dev.reconstructed:.1%}" if dev.reconstructed is not None else "–", f"on {name}", ""),
        (f"{dev.agreement:.1%}", "same answer as the network", ""),
        (f"{found.changed}", "machine changed" if found.changed == 1 else "machines changed", ""),
        *((f"{part.reconstructed:.1%}", f"on {part.split}", "") for part in found.accuracy[1:] if part.reconstructed),
    ]
    html(figures(shown))
    tell_choice(explorer.chosen, found.in_words, name)
    html(f'<div class="re2-muted">{_beside(compared, explorer.at(explorer.chosen), name)}</div>')
    curve = [point.accuracy[0] for point in explorer.curve()]
    points = [
        ThresholdPoint(threshold, part.reconstructed or 0.0, part.agreement)
        for threshold, part in zip(explorer.thresholds, curve, strict=True)
    ]
    draw_curve(points, dev.original, explorer.chosen, found.threshold, "accuracy", name)


def _draw_rule(compared: Compared, change: RuleChange, found: AtThreshold) -> None:
    machine = next(one for one in found.machines if one.name == change.name)
    html(f'<div class="re2-head">{escape(change.name)} at {found.threshold:.2f}</div>')
    rules = read_rules(found.rules_text, lowercase=compared.lowercase).ruleset
    if any(rule.name == change.name for rule in compared.original.rules):
        html(rule_html(word_change(compared.original, rules, change.name).after, "new"))
    else:
        html(rule_html(rule_pieces_of(rules, change.name), "new"))
    if machine.why:
        html(f'<div class="re2-muted">It stays as written: {escape(machine.why)}.</div>')
    # In all of the width: in half of it the words on the arrows are too small to be read.
    _draw_machine(machine)


def _draw_machine(machine: MachineAt) -> None:
    too_large = refusal(machine.dfa)
    if too_large is not None:
        st.caption(messages.plain(too_large))
        return
    st.graphviz_chart(automaton_dot(machine.dfa), alt=f"Automaton of {machine.name} at this threshold")


def can_explore(compared: Compared) -> bool:
    """Whether each written rule has a machine of its own, which a threshold can move."""
    return not is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase)
