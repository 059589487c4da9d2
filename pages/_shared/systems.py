"""The rules of a version, read and kept between reruns. Nothing here loads a network."""

from __future__ import annotations

import streamlit as st

from re2nn_core.services.slot_systems import SlotSystem, read_slot_system
from re2nn_core.services.systems import RuleSystem, read_system
from re2nn_core.store import RuleVersion
from re2nn_core.text.tokenization import Tokenization


def system_of(version: RuleVersion, tokenization: Tokenization) -> RuleSystem:
    """Rules for labels. RuleError and LogicError with every fault."""
    return _system(version.rules_text, version.logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=16)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization) -> RuleSystem:
    return read_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="label logic")[0]


def slot_system(version: RuleVersion, tokenization: Tokenization) -> SlotSystem:
    """Rules for slots. RuleError and LogicError with every fault; InputError where none captures a word."""
    return _slot_system(version.rules_text, version.logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=16)
def _slot_system(rules_text: str, logic_text: str, tokenization: Tokenization) -> SlotSystem:
    return read_slot_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="priorities")[0]
