"""Servers of the application that start at once: a process that has loaded the libraries becomes one by forking.

    python tests/support/app/warm_server.py          reads a server to start from each line, as JSON, and answers with
    its process

Loading libraries is half of what a server does in a test. The pages are read by each server anew, as it comes to them.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
from typing import Any


def _load() -> None:
    """What the pages load sooner or later. None of it starts a thread, which no fork would take along."""
    importlib.import_module("streamlit.web.bootstrap")
    for package in ("re2nn_core.services", "re2nn_core.plots"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)


def _become(asked: dict[str, Any]) -> None:
    """Go on as `streamlit run`, with these arguments."""
    cli = importlib.import_module("streamlit.web.cli")
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(asked["environment"])
    with open(asked["log"], "ab") as log, open(os.devnull, "rb") as nothing:
        for stream, target in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(stream.fileno(), target)
    cli.main(["run", *asked["arguments"]], prog_name="streamlit")


def main() -> None:
    sys.path[0] = os.getcwd()  # as `python -m streamlit` has it
    # Nobody asks how a server ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _load()
    gc.freeze()  # as pages/_shared/session/warming.py does
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            _become(json.loads(line))
            os._exit(0)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
