"""What the server offers: for programs (https://spec.openapis.org/oas/v3.1.0), and as a page to read, without a
network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from re2nn_core.server.settings import Settings

_ERRORS = {
    "400": "The body is no JSON object.",
    "401": "The token is missing or wrong.",
    "404": "There is no such model.",
    "408": "The body did not arrive in time.",
    "413": "The body, a text or the list of texts is too large.",
    "422": "A field is missing, unknown or of another kind.",
    "429": "Too many texts wait. Retry-After says in how many seconds to try again.",
    "504": "There was no result in time.",
}
_PATHS: tuple[tuple[str, str, str], ...] = (
    ("/v1/predict", "post", "Predict labels or spans: one text, or a list."),
    ("/v1/explain", "post", "Explain the prediction for one text."),
    ("/v1/models", "get", "List the models, their labels or slots, and when each was loaded."),
    ("/healthz", "get", "Whether the server runs."),
    ("/metrics", "get", "Counts for Prometheus."),
    ("/openapi.json", "get", "This description."),
)
_STRING = {"type": "string"}
_NUMBER = {"type": ["number", "null"]}


def openapi(settings: Settings, *, needs_token: bool) -> dict[str, Any]:
    """The description as OpenAPI 3.1."""
    text = {"type": "string", "maxLength": settings.longest_text}
    texts = {"type": "array", "items": text, "maxItems": settings.most_together}
    model = {"type": "string", "description": "The name of a model; without it the first."}
    asked = {"type": "object", "properties": {"text": text, "texts": texts, "model": model}}
    explained = {"type": "object", "required": ["text"], "properties": {"text": text, "model": model}}
    predicted = {
        "type": "object",
        "properties": {
            "model": _STRING,
            "prediction": {"$ref": "#/components/schemas/Prediction"},
            "predictions": {"type": "array", "items": {"$ref": "#/components/schemas/Prediction"}},
        },
    }
    bodies = {"/v1/predict": (asked, predicted), "/v1/explain": (explained, {"type": "object"})}
    paths = {}
    for path, method, summary in _PATHS:
        media = "text/plain" if path == "/metrics" else "application/json"
        given, found = bodies.get(path, (None, {"type": "object"} if media != "text/plain" else _STRING))
        operation: dict[str, Any] = {
            "summary": summary,
            "responses": {"200": {"description": "OK", "content": {media: {"schema": found}}}},
        }
        if given is not None:
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": given}}}
            refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
            operation["responses"] |= {
                status: {"description": meaning, "content": refused} for status, meaning in _ERRORS.items()
            }
        if needs_token and path not in ("/healthz", "/openapi.json"):
            operation["security"] = [{"token": []}]
        paths[path] = {method: operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "RE2NN models", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": {"Prediction": _prediction(), "Error": _object({"error": _STRING})},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _prediction() -> dict[str, Any]:
    rules = {"type": "array", "items": _STRING}
    whole = {"type": "integer"}
    span = {"start": whole, "end": whole, "slot": _STRING, "text": _STRING, "confidence": _NUMBER, "rules": rules}
    spans = {"type": "array", "items": _object(span)}
    label = {"type": ["string", "null"]}
    return {
        **_object({"text": _STRING, "confidence": _NUMBER, "label": label, "rules": rules, "spans": spans}),
        "description": "label and rules for labels, spans for slots. confidence is null where rules predict.",
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def page(address: str, models: Sequence[str], *, needs_token: bool) -> str:
    """The same as HTML that loads nothing."""
    token = " -H 'Authorization: Bearer TOKEN'" if needs_token else ""
    curl = f'curl {address}/v1/predict{token} -d \'{{"text": "two suitcases"}}\''
    rows = "".join(
        f"<tr><td><code>{method.upper()} {path}</code></td><td>{escape(summary)}</td></tr>"
        for path, method, summary in _PATHS
    )
    errors = "".join(f"<tr><td>{status}</td><td>{escape(meaning)}</td></tr>" for status, meaning in _ERRORS.items())
    names = ", ".join(f"<code>{escape(name)}</code>" for name in models)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RE2NN models</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}
td{{padding:.2rem 1rem .2rem 0;vertical-align:top}}pre{{background:#f3f3f3;padding:.8rem;overflow:auto}}</style></head>
<body><h1>RE2NN models</h1><p>Models: {names}. A request names one with <code>"model"</code>; without it, the first
predicts.</p><pre>{escape(curl)}</pre><p>A list of texts: <code>{{"texts": ["...", "..."]}}</code>.</p>
<h2>Paths</h2><table>{rows}</table><h2>Errors</h2>
<p>Every error is <code>{{"error": "..."}}</code> with one of these statuses.</p><table>{errors}</table></body></html>
"""
