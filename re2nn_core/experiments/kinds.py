"""The kind of run that compares systems; by itself, so that a page can ask for it without the network library."""

from __future__ import annotations

COMPARISON = "models"
