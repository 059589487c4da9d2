"""Bodies of requests: read up to a size and a time, and checked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from re2nn_core.errors import JsonError
from re2nn_core.files import read_json_object
from re2nn_core.server.settings import Settings


class RefusedRequestError(Exception):
    """A request that is not answered; `status` of HTTP."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.headers = status, headers
        super().__init__(message)


@dataclass(frozen=True)
class PredictRequest:
    """model: the name, None for the first. single: one text was given, not a list."""

    model: str | None
    texts: Sequence[str]
    single: bool


async def json_of(request: Request, settings: Settings) -> dict[str, Any]:
    """The object in a body. RefusedRequestError: 400, 408, 413."""
    try:
        body = await asyncio.wait_for(_body(request, settings.largest_body), settings.timeout)
    except TimeoutError:
        raise RefusedRequestError(
            408, f"The body did not arrive within {settings.timeout:g} s. Send it faster."
        ) from None
    try:
        return read_json_object(body)
    except JsonError as error:
        raise RefusedRequestError(400, f"The body is no JSON object: {error}. {_EXPECTED}") from None


_HALF_PAIR = re.compile("[\ud800-\udfff]")  # which JSON can write and UTF-8 cannot
_EXPECTED = 'Send {"text": "..."} or {"texts": ["...", "..."]}.'


async def _body(request: Request, largest: int) -> bytes:
    parts, size = [], 0
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > largest:
        raise _too_large(int(declared), largest)
    async for part in request.stream():
        size += len(part)
        if size > largest:
            raise _too_large(size, largest)
        parts.append(part)
    return b"".join(parts)


def _too_large(size: int, largest: int) -> RefusedRequestError:
    return RefusedRequestError(
        413, f"The body has {size:,} bytes or more; at most {largest:,} are read. Send fewer texts at a time."
    )


def read_asked(body: Mapping[str, Any], settings: Settings, *, many: bool) -> PredictRequest:
    """What a body asks for. `many`: a list of texts may be given. RefusedRequestError: 413, 422."""
    unknown = sorted(set(body) - {"text", "texts", "model"})
    if unknown:
        raise RefusedRequestError(422, f"Unknown field {unknown[0]!r}. {_EXPECTED}")
    model = body.get("model")
    if not isinstance(model, str | None):
        raise RefusedRequestError(422, f"model must be the name of a model (got {type(model).__name__}).")
    single = "text" in body
    if single == ("texts" in body):
        raise RefusedRequestError(422, f"Either text or texts is expected. {_EXPECTED}")
    if not single and not many:
        raise RefusedRequestError(422, 'One text is explained at a time. Send {"text": "..."}.')
    texts = [body["text"]] if single else body["texts"]
    if not isinstance(texts, list):
        raise RefusedRequestError(422, f"texts must be a list of strings (got {type(texts).__name__}). {_EXPECTED}")
    if len(texts) > settings.most_together:
        raise RefusedRequestError(
            413, f"{len(texts):,} texts were sent; at most {settings.most_together:,} are taken. Send them in parts."
        )
    longest = settings.longest_text if many else settings.longest_explained
    for place, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise RefusedRequestError(422, f"Text {place:,} is no string (got {type(text).__name__}).")
        if half := _HALF_PAIR.search(text):
            raise RefusedRequestError(422, f"Text {place:,} holds half a surrogate pair (\\u{ord(half[0]):04x}).")
        if len(text) > longest:
            raise RefusedRequestError(
                413, f"Text {place:,} has {len(text):,} characters; at most {longest:,} are read."
            )
    return PredictRequest(model, texts, single)
