"""Training runs as the store has them, for pages that show them as they are."""

from __future__ import annotations

from re2nn_core.jobs.recover import recover
from re2nn_core.store import RuleVersion, RunRecord, Store, get_run, get_version, latest_version, list_runs

__all__ = ["get_run", "list_runs", "recover", "version_of_run"]


def version_of_run(store: Store, run: RunRecord) -> RuleVersion:
    """The rules that a run begins with: the newest ones, where it does not say which."""
    if run.rule_version_id is None:
        return latest_version(store, run.project_id)
    return get_version(store, run.rule_version_id)
