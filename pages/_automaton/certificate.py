"""The badge of the equality certificate: the untrained network gives the rules' own predictions, checked here
and now.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.resources import store
from re2nn_core.guide.glossary import definition
from re2nn_core.services.projects.stored_projects import texts_of
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.counting import counted


def draw_certificate(project: ProjectRecord, version: RuleVersion, system: RuleSystem | SlotSystem) -> None:
    """A button that makes the check, and its result as a badge once it was made for this version."""
    key = f"_certified_{version.id}"
    if not st.session_state.get(key):
        if not st.button(
            "Check that the network equals the rules",
            key="certify",
            icon=":material/verified:",
            help=f"{definition('Certificate')} Checks the states and every text of the project.",
        ):
            return
        st.session_state[key] = True
    with messages.guard("The check"):
        found = _certificate(store().url, project.id, project.updated_at, version.id, system)
        if found.equal:
            checked = f"{counted(found.transitions_checked, 'transition')} and {counted(found.sentences, 'text')}"
            st.badge(
                f"Network equals rules: {checked} agree",
                icon=":material/verified:",
                color="green",
            )
        else:
            differing = found.sentences - found.agree
            st.badge(
                f"Network differs from the rules on {differing:,} of {counted(found.sentences, 'text')}",
                icon=":material/error:",
                color="red",
            )


@st.cache_resource(show_spinner="Comparing network and rules", max_entries=8)
def _certificate(
    url: str, project_id: int, changed: datetime, version_id: int, _system: RuleSystem | SlotSystem
) -> Any:
    texts = [record.text for record in texts_of(store(), project_id)]
    # Imported here: they bring the numeric libraries of the network, which this page needs for nothing else.
    if isinstance(_system, SlotSystem):
        from re2nn_core.services.automaton_views.slot_filling.certification import certify_slots

        return certify_slots(_system, texts)
    from re2nn_core.services.automaton_views.classification.certification import certify

    return certify(_system, texts)
