"""Loads, behind the first page that anybody sees, what the other pages need: torch and its like take seconds, and so
would the first click on Label, Train or Team.

The thread loads modules of the core alone, which know nothing of Streamlit. It is begun by the server, never by tests.
"""

from __future__ import annotations

import gc
import threading
from importlib import import_module

# The page Projects needs none of them; in the order in which people come to the pages.
MODULES = (
    "re2nn_core.services.rule_reconstruction.classification.rule_changes",
    "re2nn_core.services.prediction.classification.predictions",
    "re2nn_core.services.prediction.slot_filling.predictions",
    "re2nn_core.services.fine_tuning.runs",
    "re2nn_core.services.team.team_agreement",
)
_allowed = threading.Event()
_begun = threading.Event()


def allow() -> None:
    """Say that this process is a server, so that `begin` does something."""
    _allowed.set()


def begin() -> None:
    """Load the modules in a thread of its own, once a process."""
    if _allowed.is_set() and not _begun.is_set():
        _begun.set()
        threading.Thread(target=_load, name="warming", daemon=True).start()


def _load() -> None:
    for name in MODULES:
        import_module(name)
    # Modules are there to stay: to look for garbage among them takes a tenth of the time that pages take.
    gc.freeze()
