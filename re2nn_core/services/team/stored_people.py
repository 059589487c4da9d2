"""Accounts and people as the store has them, for pages that show them as they are."""

from re2nn_core.store import has_accounts, list_accounts, people_events, people_in_log

__all__ = ["has_accounts", "list_accounts", "people_events", "people_in_log"]
