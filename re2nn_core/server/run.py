"""Running the server: one process, or several behind one port."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn

from re2nn_core.server.application import application
from re2nn_core.server.settings import Settings

_GRACE = 30  # seconds in which requests that have begun may end, when the server is asked to stop


def serve(settings: Settings, *, address: str, port: int, workers: int, on_start: Callable[[], None]) -> None:
    """Answer until the process is asked to stop (Ctrl+C, SIGTERM); then end what has begun. Errors of models and rules
    are raised before anything listens."""
    settings.to_environment()
    own = application(settings)
    on_start()
    uvicorn.run(
        own if workers == 1 else "re2nn_core.server.application:worker",
        factory=workers > 1,
        host=address,
        port=port,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=30,
    )
