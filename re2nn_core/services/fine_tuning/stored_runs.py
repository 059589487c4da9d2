"""Training runs as the store has them, for pages that show them as they are."""

from re2nn_core.jobs import recover
from re2nn_core.store import get_run, list_runs

__all__ = ["get_run", "list_runs", "recover"]
