"""Makes the helpers beside this file importable from every test: `from strategies import trees`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_HERE = str(Path(__file__).parent)
if _HERE not in sys.path:
    sys.path.append(_HERE)

# Each worker of pytest-xdist has a core; with a thread for every core in each of them, both only wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
