"""Rules whose word lists have their entries."""

from __future__ import annotations

from re2nn_core.rules.word_lists.content import with_content


def with_entries(rules: str, *entries: str) -> str:
    """The rules with these entries in every list."""
    return with_content(rules, lambda _: "\n".join(entries).encode())
