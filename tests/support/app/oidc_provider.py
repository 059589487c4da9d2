"""A small OpenID Connect provider on this machine: whoever comes is signed in at once, as it is reported."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlparse

import pytest

jwk = pytest.importorskip("joserfc.jwk", reason="the extra oidc is not installed")
jwt = pytest.importorskip("joserfc.jwt", reason="the extra oidc is not installed")
_LASTS = 600


@dataclass
class Provider:
    """`claims` are what it says of whoever comes next."""

    address: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    nonce: str = ""
    key: Any = field(default_factory=lambda: jwk.RSAKey.generate_key(2048, {"kid": "a", "use": "sig", "alg": "RS256"}))

    def configuration(self) -> dict[str, Any]:
        paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {
            "issuer": self.address,
            **{name: f"{self.address}/{path}" for name, path in paths.items()},
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def token(self) -> dict[str, Any]:
        now = int(time.time())
        said = {"iss": self.address, "aud": "studio", "sub": "1", "iat": now, "exp": now + _LASTS, "nonce": self.nonce}
        signed = jwt.encode({"alg": "RS256", "kid": "a"}, said | self.claims, self.key)
        return {"access_token": "a", "token_type": "Bearer", "expires_in": _LASTS, "id_token": signed}


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider at work, on a port of its own."""
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: Any) -> None:
            pass

        def do_GET(self) -> None:
            asked = urlparse(self.path)
            if asked.path == "/authorize":
                given = dict(parse_qsl(asked.query))
                made.nonce = given["nonce"]
                self.send_response(302)
                back = urlencode({"code": "c", "state": given["state"]})
                self.send_header("Location", f"{given['redirect_uri']}?{back}")
                self.end_headers()
            elif asked.path == "/keys":
                self._send({"keys": [made.key.as_dict(private=False)]})
            else:
                self._send(made.configuration())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._send(made.token())

        def _send(self, prediction: dict[str, Any]) -> None:
            written = json.dumps(prediction).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


def secrets(made: Provider, application: str) -> str:
    """What .streamlit/secrets.toml says of it."""
    return (
        f'[auth]\nredirect_uri = "{application}/oauth2callback"\ncookie_secret = "{"0123456789abcdef" * 2}"\n'
        f'client_id = "studio"\nclient_secret = "s"\n'
        f'server_metadata_url = "{made.address}/.well-known/openid-configuration"\n'
    )
