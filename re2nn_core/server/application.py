"""The routes of the server, and what they refuse.

Every error is JSON: {"error": "what was given, what was expected, what to do"}.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from re2nn_core.api.batch_scorer import prediction_rows
from re2nn_core.errors import Re2nnError
from re2nn_core.server.batching import Batcher, QueueFullError
from re2nn_core.server.metrics import Metrics
from re2nn_core.server.openapi import openapi, page
from re2nn_core.server.requests import PredictRequest, RefusedRequestError, json_of, read_asked
from re2nn_core.server.served import ServedModel, served_models
from re2nn_core.server.settings import Settings, from_environment, read_token
from re2nn_core.text.json_text import json_text

_EVERY_SECONDS = 1.0  # files of models are looked at, and counts shared, this often
_OPEN = ("/healthz", "/", "/openapi.json")  # paths that need no token
Endpoint = Callable[[Request], Awaitable[Response]]


class Server:
    """What the routes of one worker process share."""

    def __init__(self, settings: Settings, parent: int | None = None) -> None:
        """`parent`: the process that started this one, and without which it ends."""
        self.parent = parent
        self.settings, self.token = settings, read_token(settings.token_file)
        self.models = served_models(settings)
        self.metrics = Metrics(Path(settings.metrics))
        self.batcher = Batcher(self._predict, settings.queue, self.metrics.batch)

    def _predict(self, served: ServedModel, texts: Any) -> list[dict[str, Any]]:
        self.metrics.texts(served.name, len(texts))
        return prediction_rows(served.model, texts)

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """From the first request to the last answer."""
        self.batcher.start()
        for served in self.models.values():  # the first text loads what models load late
            await self.batcher.run(partial(prediction_rows, served.model, ["a"]))
        watching = asyncio.get_running_loop().create_task(self._watch())
        yield
        watching.cancel()
        await self.batcher.stop()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            if self.parent is not None and os.getppid() != self.parent:
                signal.raise_signal(signal.SIGTERM)  # nobody else would end it
            self.metrics.waiting = self.batcher.waiting
            with contextlib.suppress(OSError):
                self.metrics.write()
            for served in self.models.values():
                await asyncio.to_thread(served.refresh)

    async def predict(self, request: Request) -> Response:
        """POST /v1/predict."""
        asked = read_asked(await json_of(request, self.settings), self.settings, many=True)
        served = self._model(asked)
        rows = await self._in_time(self.batcher.rows(served, asked.texts))
        found: dict[str, Any] = {"prediction": rows[0]} if asked.single else {"predictions": rows}
        return _json({"model": served.name, **found})

    async def explain(self, request: Request) -> Response:
        """POST /v1/explain."""
        asked = read_asked(await json_of(request, self.settings), self.settings, many=False)
        served = self._model(asked)
        work = self.batcher.run(lambda: asdict(served.model.explain(asked.texts[0])))
        return _json({"model": served.name, "explanation": await self._in_time(work)})

    async def list_models(self, _: Request) -> Response:
        """GET /v1/models."""
        return _json({"models": [served.described for served in self.models.values()]})

    async def health(self, _: Request) -> Response:
        """GET /healthz."""
        return _json({"status": "ok"})

    async def report_metrics(self, _: Request) -> Response:
        """GET /metrics."""
        self.metrics.waiting = self.batcher.waiting
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def describe(self, _: Request) -> Response:
        """GET /openapi.json."""
        return _json(openapi(self.settings, needs_token=bool(self.token)))

    async def show(self, request: Request) -> Response:
        """GET /: the same, to read."""
        address = str(request.base_url).rstrip("/")
        return HTMLResponse(page(address, list(self.models), needs_token=bool(self.token)))

    def _model(self, asked: PredictRequest) -> ServedModel:
        name = asked.model if asked.model is not None else next(iter(self.models))
        if name not in self.models:
            raise RefusedRequestError(404, f"There is no model {name!r}. The models are: {', '.join(self.models)}.")
        return self.models[name]

    async def _in_time(self, work: Awaitable[Any]) -> Any:
        seconds = self.settings.timeout
        try:
            return await asyncio.wait_for(work, seconds)
        except TimeoutError:
            raise RefusedRequestError(
                504, f"There was no result within {seconds:g} s. Send fewer or shorter texts."
            ) from None
        except QueueFullError:
            message = f"More than {self.settings.queue:,} texts wait. Try again later."
            raise RefusedRequestError(429, message, {"Retry-After": "1"}) from None

    def guarded(self, endpoint: Endpoint) -> Endpoint:
        """The endpoint behind the checks, with its errors as JSON, counted."""

        async def respond(request: Request) -> Response:
            began, path = time.perf_counter(), request.url.path
            try:
                self._check(request)
                response = await endpoint(request)
            except RefusedRequestError as refused:
                response = _json({"error": str(refused)}, refused.status, refused.headers)
            except Re2nnError as error:
                response = _json({"error": str(error)}, 422)
            except ClientDisconnect:
                response = Response(status_code=499)  # nobody reads it; it is counted
            self.metrics.request(path, response.status_code, time.perf_counter() - began)
            return response

        return respond

    def _check(self, request: Request) -> None:
        host = request.headers.get("host", "").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if self.settings.hosts and name not in self.settings.hosts:
            # Without this, a page of a foreign name that leads here could read what is on this machine.
            message = f"This server cannot be asked as {name!r}. Ask it as localhost, or start it with a token."
            raise RefusedRequestError(421, message)
        if not self.token or request.url.path in _OPEN:
            return
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            what = "is not the one of this server" if given else "is missing"
            raise RefusedRequestError(
                401, f'The token {what}. Send the header "Authorization: Bearer TOKEN".', {"WWW-Authenticate": "Bearer"}
            )


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(json_text(value), status, headers, "application/json")


def application(settings: Settings, parent: int | None = None) -> Starlette:
    """The application of one worker process. ModelError, InputError and errors of rules."""
    server = Server(settings, parent)
    routes = (
        ("/v1/predict", server.predict, "POST"),
        ("/v1/explain", server.explain, "POST"),
        ("/v1/models", server.list_models, "GET"),
        ("/healthz", server.health, "GET"),
        ("/metrics", server.report_metrics, "GET"),
        ("/openapi.json", server.describe, "GET"),
        ("/", server.show, "GET"),
    )
    return Starlette(
        routes=[Route(path, server.guarded(endpoint), methods=[method]) for path, endpoint, method in routes],
        exception_handlers={404: _no_path, 405: _other_method, 500: _unexpected},
        lifespan=server.lifespan,
    )


async def _no_path(request: Request, _: Exception) -> Response:
    return _json({"error": f"There is nothing at {request.url.path}. GET / lists the paths."}, 404)


async def _other_method(request: Request, _: Exception) -> Response:
    message = f"{request.url.path} does not take {request.method}. GET / lists the paths."
    return _json({"error": message}, 405)


async def _unexpected(_: Request, error: Exception) -> Response:
    return _json({"error": f"The server failed: {type(error).__name__}. Its messages say more."}, 500)


def worker() -> Starlette:
    """The application of a process that uvicorn has started."""
    return application(from_environment(), os.getppid())
