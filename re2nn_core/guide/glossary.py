"""Definitions of terms, as tooltips and help texts show them."""

from __future__ import annotations

from re2nn_core.guide.contents import anchor_of, find_section


def definition(term: str) -> str:
    """What the glossary says of a term, in one line; InputError where it does not have the term."""
    return " ".join(find_section(f"glossary#{anchor_of(term)}").text.split())
