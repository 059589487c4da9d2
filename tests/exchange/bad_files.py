"""Files that people bring and that are wrong in some way: what is said of each, and what is kept."""

from __future__ import annotations

from exchange.bad_binaries import BINARY, FOLDERS
from exchange.bad_spans import SPANS
from exchange.bad_tables import ENCODINGS, JSON, TABLES
from exchange.bad_tools import DOCCANO, LABEL_STUDIO, PRODIGY

CASES = [*ENCODINGS, *TABLES, *JSON, *SPANS, *LABEL_STUDIO, *PRODIGY, *DOCCANO, *BINARY, *FOLDERS]
