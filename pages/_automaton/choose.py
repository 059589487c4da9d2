"""Which automaton is looked at: of a rule or a label of the chosen version, in one of its two forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages._shared.catalog import AUTOMATON
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from pages._shared.session.chosen_rule import choose_rule, followed_rule
from re2nn_core.services.automaton_views.classification.views import MachineView, StageSize, view_label, view_rule
from re2nn_core.services.automaton_views.stepping import AnyMachine
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.text.tokenization import Tokenization

RULE, LABEL = "Rule", "Label"
PSEUDO, EXACT = "Compact", "Exact"
POSITIONS = "the positions of words in the rule"
_FORMS = {
    PSEUDO: "The wildcard $ is a symbol. A word can have several transitions, so several states can be active.",
    EXACT: "Every word has exactly one transition. Used to compare rules; often larger.",
}
_LONGEST = 600
# The stages of services/machine_views.py for somebody who has never seen an automaton.
_PLAIN = {
    "expression": "Words and signs of the rule as written.",
    "positions": "Positions of words in the rule; words that can be exchanged share one.",
    "states": "States of the drawing below.",
    "arcs": "Transitions between states, one per word; the drawing joins many.",
    "exact states": "States of the automaton in which every word has exactly one transition; used to compare rules.",
    "FST states": "States of the smallest transducer, which writes a tag for each word.",
    "i-FST states": "States when each state has one tag: all words that lead to it get this tag.",
    "rank": "Parameters per word that the network needs for this rule.",
}


@dataclass(frozen=True)
class Chosen:
    """What was chosen. `machines` are the one in the chosen form, None where it is past the budget (`refusal` says
    why), and those that may be drawn in its place, each with its name. `key` tells the choice from others."""

    name: str
    expression: str
    sizes: Sequence[StageSize]
    machines: Sequence[tuple[str, AnyMachine | None]]
    refusal: str
    key: tuple[str, ...]
    of_rule: bool

    @property
    def asked(self) -> AnyMachine | None:
        return self.machines[0][1]


def choose_machine(system: RuleSystem, project_id: int) -> Chosen:
    """The choosers, and what they choose."""
    ruleset = system.ruleset
    labels = {rule.name: rule.label for rule in ruleset.rules}
    asked = choose_names(
        project_id,
        f"_machine_{{}}_{project_id}",
        {RULE: list(labels), LABEL: list(ruleset.labels)},
        _FORMS,
        lambda kind, name: f"{name}   ({labels[name]})" if kind == RULE else name,
    )
    view = _view(system.rules_text, system.tokenization, asked.kind == RULE, asked.name, ruleset)
    machines = [("the compact form", view.pseudo), (POSITIONS, view.positions)]
    if asked.form == EXACT:
        machines = [("the exact form", view.exact), *machines]
    refusal = view.exact_refusal if asked.form == EXACT else view.pseudo_refusal
    key = (system.rules_text, repr(system.tokenization), asked.kind, asked.name, asked.form)
    return Chosen(view.name, view.expression, view.sizes, machines, refusal, key, asked.kind == RULE)


@dataclass(frozen=True)
class ChosenMachine:
    """A machine that was asked for: what it is of, its name there, and its form."""

    kind: str
    name: str
    form: str


def choose_names(
    project_id: int,
    key: str,
    names: Mapping[str, list[str]],
    forms: Mapping[str, str],
    shown: Callable[[str, str], str],
) -> ChosenMachine:
    """The three choosers: of a rule or of several, which, in which form. `key` has a place for what is chosen, `names`
    the machines there are by kind, `forms` what each form means; `shown` tells a name of a kind as people read it. A
    rule that was chosen on another page since is chosen here too."""
    _follow_link(project_id, key, names[RULE])
    # No default beside it: a link sets it too.
    st.session_state.setdefault(key.format("kind"), RULE)
    first, second, third = st.columns([2, 4, 4], vertical_alignment="bottom")
    with first:
        kind = st.segmented_control(
            "Automaton of a",
            list(names),
            required=True,
            key=key.format("kind"),
            persist_state="session",
        )
    with second:
        name = st.selectbox(
            kind,
            names[kind],
            format_func=partial(shown, kind),
            key=key.format(kind),
            persist_state="session",
            on_change=_take_rule if kind == RULE else None,
            args=(project_id, key.format(RULE)),
        )
    with third:
        form = st.segmented_control(
            "Form",
            list(forms),
            default=next(iter(forms)),
            required=True,
            key=key.format("form"),
            help="  \n".join(f"**{form}**: {meaning}" for form, meaning in forms.items()),
            persist_state="session",
        )
    return ChosenMachine(kind, name if name in names[kind] else names[kind][0], form)


def _take_rule(project_id: int, key: str) -> None:
    # A change of page may call this without a value.
    if (name := st.session_state.get(key)) is not None:
        choose_rule(AUTOMATON, project_id, name)


def _follow_link(project_id: int, key: str, rules: Sequence[str]) -> None:
    """Choose the rule that was chosen on another page since."""
    asked = followed_rule(AUTOMATON, project_id)
    if asked in rules:
        st.session_state[key.format("kind")] = RULE
        st.session_state[key.format(RULE)] = asked


def draw_sizes(sizes: Sequence[StageSize], expression: str) -> None:
    """How large each stage is, from the expression to the network."""
    shown = expression if len(expression) <= _LONGEST else expression[:_LONGEST] + " …"
    html(f'<div class="re2-muted" style="font-family:monospace;overflow-wrap:anywhere">{escape(shown)}</div>')
    with st.expander("Sizes, from the rule to the network"):
        html(html_table(["Count", "of", "What it is"], [_size_row(size) for size in sizes], numbers=(0,)))


def _size_row(size: StageSize) -> list[str]:
    count = "too many" if size.count is None else f"{size.count:,}"
    return [f"<b>{count}</b>", escape(size.stage), escape(_meaning(size))]


def _meaning(size: StageSize) -> str:
    return _PLAIN.get(size.stage, size.meaning)


@st.cache_resource(show_spinner="Building the automaton", max_entries=64)
def _view(rules_text: str, tokenization: Tokenization, of_rule: bool, name: str, _ruleset: RuleSet) -> MachineView:
    return view_rule(_ruleset, name) if of_rule else view_label(_ruleset, name)
