"""Names of experiments; by themselves, so that a page or command can ask for them without the network library."""

from __future__ import annotations

COMPARISON = "models"  # the kind of run that compares systems
REST = ", rest of train"  # ends the name of a data set that is measured there
