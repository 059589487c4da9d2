"""Links to a rule of the open project, which the address names; session/chosen_rule.py follows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import urlencode

import streamlit as st

from pages._shared.catalog import RULES, PageEntry
from pages._shared.drawing.markup import escape


def rule_address(name: str, page: PageEntry = RULES) -> str:
    """The address of a page at a rule of the open project, from any other page."""
    return f"{PurePosixPath(page.file).stem}?{urlencode({'project': st.query_params.get('project', ''), 'rule': name})}"


def rule_link(name: str) -> str:
    """A rule's name as a link to it in the editor, as HTML."""
    href, title = escape(rule_address(name)), escape(f"Open in {RULES.title}")
    return f'<a class="re2-rule-link" href="{href}" title="{title}">{escape(name)}</a>'


def addresses(name: str, pages: Sequence[PageEntry]) -> list[tuple[str, str]]:
    """Titles and addresses of pages at a rule."""
    return [(page.title, rule_address(name, page)) for page in pages]
