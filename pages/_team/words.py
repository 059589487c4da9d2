"""Small pieces of wording."""

from __future__ import annotations

from re2nn_core.text.counting import counted as counted
