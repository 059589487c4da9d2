"""What stands before every route: names, origins, sign-in, room for uploads, headers of each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from support.app.doors import Way, ways

from pages._shared.server import uploads
from pages._shared.server.doors import DOORS, REST, door_of
from pages._shared.server.middleware import Doorkeeper
from pages._shared.session.browser_session import cookie_name
from re2nn_core.services.team import accounts
from re2nn_core.services.team import sign_in as signing
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import Store

SERVER = "http://localhost:8501"
WAYS = ways()
# Those of Streamlit's static files: everything that nothing else answers.
CATCH_ALL = Way("/", ("GET",))


def without_a_check(found: list[Way]) -> list[str]:
    return [way.path for way in found if way.door.path == REST and way != CATCH_ALL]


def test_every_route_has_a_line_of_its_own() -> None:
    assert without_a_check(WAYS) == []
    assert CATCH_ALL in WAYS
    assert len(WAYS) > 20


def test_a_route_without_a_line_is_found() -> None:
    assert without_a_check([*WAYS, Way("/export/{project}", ("GET",))]) == ["/export/{project}"]


def test_every_door_says_why() -> None:
    assert [door.path for door in DOORS if not door.why] == []
    assert len({door.path for door in DOORS}) == len(DOORS)


@pytest.mark.parametrize(
    ("path", "base", "asks"),
    [
        ("/media/a.csv", "", "sign-in"),
        ("/studio/media/a.csv", "studio", "sign-in"),
        ("/studio/media/a.csv", "/studio/", "sign-in"),
        ("/media/a.csv", "studio", "sign-in"),
        ("/_stcore/new", "", "sign-in"),
        ("/_stcore/health", "", "nothing"),
        ("/_stcore/health/more", "", "sign-in"),
        ("/_stcore/metrics", "", "closed"),
        ("/re2nn/sessions", "", "sign-in"),
        ("/rules", "", "nothing"),
        ("/", "", "nothing"),
    ],
)
def test_the_door_of_an_address(path: str, base: str, asks: str) -> None:
    assert door_of(path, base).asks == asks


async def _answer(request: Request) -> PlainTextResponse:
    body = await request.body()
    return PlainTextResponse(f"inside {len(body)}")


async def _stream(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("inside")
    await socket.close()


@pytest.fixture
def client(home: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server behind the doorkeeper that answers everything, on this machine alone."""
    options = {
        "server.address": "127.0.0.1",
        "server.allowedHosts": ["localhost", "127.0.0.1"],
        "server.maxUploadSize": 1,
        "server.port": 8501,
        "browser.serverAddress": "localhost",
    }
    monkeypatch.setattr(st, "get_option", options.get)
    monkeypatch.setattr("streamlit.config.get_option", options.get)
    routes = [
        WebSocketRoute("/_stcore/stream", _stream),
        Route("/{path:path}", _answer, methods=["GET", "PUT", "POST"]),
    ]
    with TestClient(Starlette(routes=routes, middleware=[Middleware(Doorkeeper)]), base_url=SERVER) as opened:
        yield opened


@pytest.fixture
def token(store: Store) -> str:
    """The cookie of Ann, who is signed in, and with whom there are accounts."""
    password = accounts.add_person(store, "Ann", "owner", person=AT_THE_MACHINE).password
    token = signing.token_for(store, signing.sign_in(store, "Ann", password or "").ticket)
    assert token is not None
    return token


def status(client: TestClient, path: str, token: str = "", method: str = "GET", **headers: str) -> int:
    cookies = {"Cookie": f"{cookie_name()}={token}"} if token else {}
    return client.request(method, path, headers={**cookies, **headers}).status_code


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.path} {way.methods[0]}")
def test_each_route_asks_where_people_sign_in(client: TestClient, store: Store, token: str, way: Way) -> None:
    door = way.door
    path = way.path.format(file_id="a.csv", session_id="s", path="x") if "{" in way.path else way.path
    method = "PUT" if "PUT" in way.methods else "GET"
    expected = {"nothing": (200, 200, 200), "sign-in": (401, 401, 200), "closed": (403, 403, 403)}[door.asks]
    found = (
        status(client, path, method=method),
        status(client, path, "guessed", method),
        status(client, path, token, method),
    )
    assert found == expected
    accounts.new_password(store, "Ann", person="Ann")
    assert status(client, path, token, method) == expected[1]


def test_without_accounts_this_machine_needs_none(client: TestClient) -> None:
    assert status(client, "/media/a.csv") == 200
    assert status(client, "/_stcore/metrics") == 403


def test_what_a_proxy_forwards_needs_a_sign_in(client: TestClient) -> None:
    assert status(client, "/media/a.csv", **{"X-Forwarded-For": "192.0.2.9"}) == 401


@pytest.mark.parametrize(
    ("host", "path", "expected"),
    [
        ("localhost:8501", "/", 200),
        ("127.0.0.1", "/", 200),
        ("LOCALHOST.:8501", "/", 200),
        ("evil.example", "/", 403),
        ("evil.example", "/media/a.csv", 403),
        ("evil.example", "/_stcore/health", 200),
        ("127.0.0.1.evil.example", "/", 403),
        ("localhost@evil.example", "/", 403),
        ("localhost:8501/x", "/", 403),
        ("", "/", 403),
    ],
)
def test_other_names_get_nothing(client: TestClient, host: str, path: str, expected: int) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == expected
    assert expected == 200 or "re2nn app --allow-host NAME" in answer.text


ORIGINS: dict[str, tuple[dict[str, str], bool]] = {
    "no page": ({}, True),
    "this page": ({"Origin": SERVER}, True),
    "a page of another port": ({"Origin": "http://localhost:9999"}, False),
    "another name of this machine": ({"Origin": "http://127.0.0.1:8501"}, False),
    "another site": ({"Origin": "https://evil.example"}, False),
    "a file": ({"Origin": "null"}, False),
    "nonsense": ({"Origin": "http://localhost:x"}, False),
    "behind a proxy with https": ({"Host": "localhost", "Origin": "https://localhost"}, True),
    "the same with its port": ({"Host": "localhost:443", "Origin": "https://localhost"}, True),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_pages_of_other_addresses_get_nothing(client: TestClient, origin: str) -> None:
    headers, allowed = ORIGINS[origin]
    assert client.get("/rules", headers=headers).status_code == (200 if allowed else 403)
    assert client.post("/re2nn/session", headers=headers).status_code == (200 if allowed else 403)
    headers = {"Host": "localhost:8501", **headers}
    if allowed:
        with client.websocket_connect("/_stcore/stream", headers=headers) as socket:
            assert socket.receive_text() == "inside"
    else:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers=headers):
            pass


@pytest.mark.parametrize(
    "option", [{"server.corsAllowedOrigins": ["https://rules.example"]}, {"browser.serverAddress": "rules.example"}]
)
def test_a_proxy_that_renames_the_host_is_named_in_the_settings(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, option: dict[str, object]
) -> None:
    before = st.get_option
    assert client.get("/", headers={"Origin": "https://rules.example"}).status_code == 403
    monkeypatch.setattr(st, "get_option", lambda name: option.get(name, before(name)))
    assert client.get("/", headers={"Origin": "https://rules.example"}).status_code == 200
    assert client.get("/", headers={"Origin": "https://evil.example"}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/media/a.csv", "/_stcore/metrics"])
def test_no_other_page_frames_this_one(client: TestClient, token: str, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Content-Security-Policy"] == "frame-ancestors 'self'"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"
    assert headers["X-Content-Type-Options"] == "nosniff"


MIB = 1024 * 1024
Hold = Callable[[str, int], None]


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Hold:
    """Has the server hold a file of a session, of so many bytes."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    server = SimpleNamespace(uploaded_file_mgr=manager)
    monkeypatch.setattr(uploads, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))

    def holding(session: str, size: int) -> None:
        file = f"{len(manager.file_storage[session])}"
        manager.add_file(session, UploadedFileRec(file, "texts.csv", "text/csv", bytes(size)))

    return holding


def put(client: TestClient, session: str, size: int) -> tuple[int, str]:
    answer = client.put(f"/_stcore/upload_file/{session}/file", content=bytes(size))
    return answer.status_code, answer.text.strip()


def test_a_session_has_room_for_so_much(client: TestClient, hold: Hold) -> None:
    for _ in range(uploads.OF_SESSION - 1):
        assert put(client, "mine", MIB) == (200, f"inside {MIB}")
        hold("mine", MIB)
    assert put(client, "mine", MIB)[0] == 200
    hold("mine", 1)
    assert put(client, "mine", MIB) == (413, uploads.FULL["session"])
    assert put(client, "mine", MIB - 1)[0] == 200
    assert put(client, "other", MIB)[0] == 200


def test_a_server_has_room_for_so_much(client: TestClient, hold: Hold) -> None:
    for number in range(uploads.OF_SERVER):
        assert put(client, "new", MIB)[0] == 200
        hold(f"session {number}", MIB)
    assert put(client, "new", 1) == (413, uploads.FULL["server"])


def test_a_file_of_unknown_size_counts_as_the_largest(client: TestClient, hold: Hold) -> None:
    hold("mine", uploads.OF_SESSION * MIB - 10)
    assert put(client, "mine", 10)[0] == 200
    answer = client.put("/_stcore/upload_file/mine/file", content=iter([b"few"]))
    assert (answer.status_code, answer.text.strip()) == (413, uploads.FULL["session"])


def test_what_is_on_its_way_counts(client: TestClient, hold: Hold) -> None:
    kept = uploads.Uploads()
    with kept.coming("mine", str(uploads.OF_SESSION * MIB)) as first, kept.coming("mine", "1") as second:
        assert (first, second) == ("", uploads.FULL["session"])
    with kept.coming("mine", "1") as again:
        assert again == ""
