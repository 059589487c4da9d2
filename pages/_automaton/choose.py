"""Which machine is looked at: a rule or a label of the chosen version, in one of its two forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared.markup import escape, html
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.services.machine_views import MachineView, Size, view_label, view_rule
from re2nn_core.services.systems import RuleSystem, read_system
from re2nn_core.text.tokenization import Tokenization

RULE, LABEL = "Rule", "Label"
PSEUDO, EXACT = "As people read it", "Exact"
_FORMS = {
    PSEUDO: "$ is a symbol like any other. A word may take two arcs, so several states can be alive.",
    EXACT: "Every word takes exactly one arc. Used to compare rules; often larger.",
}
_LONGEST = 600
# The stages of services/machine_views.py for somebody who has never seen an automaton.
_PLAIN = {
    "expression": "Words and signs of the rule as you wrote it.",
    "positions": "Places in the rule where it reads a word; words that stand for each other share one.",
    "states": "How many things the machine has to remember about the words read so far: the circles below.",
    "arcs": "Steps it can take from one circle to the next, one for each word; the arrows below join many.",
    "exact states": "Circles of the machine in which every word takes exactly one arrow; used to compare rules.",
    "FST states": "Circles of the smallest machine that writes a tag beside each word it reads.",
    "i-FST states": "Circles when each of them stands for one tag: all words that lead to it get that tag.",
    "rank": "Numbers the network keeps for each word to compute this rule: what the rule costs there.",
}


@dataclass(frozen=True)
class Chosen:
    """The view and the machine in the chosen form; None where it is past the budget. `key` tells it from
    others.
    """

    view: MachineView
    machine: PseudoDfa | ExactDfa | None
    refusal: str
    label: str
    key: str


def choose_machine(system: RuleSystem, rules_text: str, project_id: int) -> Chosen:
    """The choosers, and what they choose."""
    ruleset = system.ruleset
    labels = {rule.name: rule.label for rule in ruleset.rules}
    first, second, third = st.columns([2, 4, 4], vertical_alignment="bottom")
    with first:
        kind = st.segmented_control(
            "Machine of a",
            [RULE, LABEL],
            default=RULE,
            required=True,
            key=f"_machine_kind_{project_id}",
            persist_state="session",
        )
    names = list(labels) if kind == RULE else list(ruleset.labels)
    with second:
        name = st.selectbox(
            "Rule" if kind == RULE else "Label",
            names,
            format_func=lambda name: f"{name}   ({labels[name]})" if kind == RULE else name,
            key=f"_machine_{kind}_{project_id}",
            persist_state="session",
        )
    with third:
        form = st.segmented_control(
            "Form",
            [PSEUDO, EXACT],
            default=PSEUDO,
            required=True,
            key=f"_machine_form_{project_id}",
            help="  \n".join(f"**{form}**: {meaning}" for form, meaning in _FORMS.items()),
            persist_state="session",
        )
    name = name if name in names else names[0]
    view = _view(rules_text, system.tokenization, kind == RULE, name, ruleset)
    label = labels[name] if kind == RULE else name
    key = f"{project_id}_{kind}_{name}"
    if form == EXACT:
        return Chosen(view, view.exact, view.exact_refusal, label, f"{key}_exact")
    return Chosen(view, view.pseudo, view.pseudo_refusal, label, f"{key}_pseudo")


def draw_sizes(sizes: Sequence[Size], expression: str) -> None:
    """How large each stage is, from the expression to the network."""
    stages = []
    for size in sizes:
        count = "too many" if size.count is None else f"{size.count:,}"
        stages.append(
            f'<div class="re2-figure" style="cursor:help" title="{escape(_meaning(size))}"><b>{count}</b> '
            f"<span>{escape(size.stage)}</span></div>"
        )
    arrow = '<span class="re2-muted" aria-hidden="true">→</span>'
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        html(f'<div class="re2-figures" style="gap:.3rem .9rem">{arrow.join(stages)}</div>')
        with st.popover("What are these?", type="tertiary", help="The numbers in plain words"):
            rows = "".join(f"<tr><td><b>{escape(s.stage)}</b></td><td>{escape(_meaning(s))}</td></tr>" for s in sizes)
            html(f'<div class="re2-muted">From the rule you wrote to the network, step by step:</div>'
                 f'<table class="re2-table">{rows}</table>')  # fmt: skip
    shown = expression if len(expression) <= _LONGEST else expression[:_LONGEST] + " …"
    html(f'<div class="re2-muted" style="font-family:monospace;overflow-wrap:anywhere">{escape(shown)}</div>')


def _meaning(size: Size) -> str:
    return _PLAIN.get(size.stage, size.meaning)


def read_version(rules_text: str, logic_text: str, tokenization: Tokenization) -> RuleSystem:
    """The rule system of a version, kept between reruns. RuleError, LogicError."""
    return _system(rules_text, logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=8)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization) -> RuleSystem:
    return read_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="label logic")[0]


@st.cache_resource(show_spinner="Building the machine", max_entries=64)
def _view(rules_text: str, tokenization: Tokenization, of_rule: bool, name: str, _ruleset: RuleSet) -> MachineView:
    return view_rule(_ruleset, name) if of_rule else view_label(_ruleset, name)
