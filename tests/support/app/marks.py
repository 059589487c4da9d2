"""What the tests of spans on Label read from the page."""

from __future__ import annotations

ME = "analyst"
