"""re2nn app: what is started, and what is refused before anything starts."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call

from re2nn_core.commands.server import app


class Server:
    """Stands in for the process of the server: notes how it was started and ends at once."""

    started: list[dict[str, Any]] = []
    code = 0

    def __init__(self, command: list[str], **settings: Any) -> None:
        self.started.append({"command": command, **settings})

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def kill(self) -> None:
        raise AssertionError("nothing asked it to end")

    def wait(self) -> int:
        return self.code


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    monkeypatch.setattr(app.subprocess, "Popen", Server)
    monkeypatch.setattr(Server, "started", [])
    return Server


def test_streamlit_is_started_on_this_machine_alone(re2nn: Call, server: type[Server], tmp_path: Path) -> None:
    outcome = re2nn("app", "--port", "18515", "--home", tmp_path / "home", "--headless", "--json")
    assert outcome.code == 0
    url = "http://localhost:18515"
    assert outcome.data == {"url": url, "urls": [url], "home": str(tmp_path / "home")}
    (started,) = server.started
    command = started["command"]
    assert command[:4] == [sys.executable, "-m", "streamlit", "run"]
    assert Path(command[4]).name == "app.py"
    settings = dict(zip(command[5::2], command[6::2], strict=True))
    assert settings["--server.port"] == "18515"
    assert settings["--server.address"] == "127.0.0.1"
    assert settings["--server.headless"] == "true"
    assert started["env"]["RE2NN_HOME"] == str(tmp_path / "home")
    assert (tmp_path / "home").is_dir()
    assert started["cwd"] == Path(command[4]).parent


EVERY = "0.0.0.0"  # noqa: S104 - what the warning is about


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of projects, and no secrets of the user."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "user")
    monkeypatch.delenv("RE2NN_DATABASE_URL", raising=False)
    return tmp_path / "home"


def test_other_address_is_warned_of(re2nn: Call, server: type[Server], home: Path) -> None:
    assert re2nn("users", "add", "Ann", "--role", "owner", "--home", home).code == 0
    outcome = re2nn("app", "--address", EVERY, "--port", "18516", "--home", home)
    assert outcome.code == 0
    assert (
        "0.0.0.0 can be reached from other machines, so people must sign in. Passwords are sent unencrypted"
        in outcome.err
    )
    assert "Now only this machine can open it. Add the name or the address" in outcome.err
    assert f"such as --allow-host {socket.gethostname()}" in outcome.err
    assert outcome.out == "http://localhost:18516  (Ctrl+C stops it)\n"
    assert "--server.allowedHosts" not in server.started[0]["command"]


@pytest.mark.parametrize("address", [EVERY, "192.0.2.7", "::", "rules.example"])
def test_other_address_is_refused_where_nobody_could_sign_in(
    re2nn: Call, server: type[Server], home: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(app, "_trouble_with", lambda port, address: "")
    outcome = re2nn("app", "--address", address, "--port", "18516", "--home", home)
    assert (outcome.code, outcome.out, server.started) == (2, "", [])
    assert outcome.err == (
        f"Error: {address} can be reached from other machines, so people must sign in, but no account exists "
        f"({home / 're2nn.sqlite3'}). Nothing was started.\n"
        f"Create the first account, which must be an owner: re2nn users add NAME --role owner --home {home}\n"
        "Or set up an OpenID Connect provider (re2nn help sign-in).\n"
    )


def test_a_provider_is_a_way_in(re2nn: Call, server: type[Server], home: Path, tmp_path: Path) -> None:
    secrets = tmp_path / "user" / ".streamlit" / "secrets.toml"
    secrets.parent.mkdir(parents=True)
    secrets.write_text("[auth]\nclient_id = 'x'\n", encoding="utf-8")
    assert re2nn("app", "--address", EVERY, "--port", "18516", "--home", home).code == 0
    secrets.write_text("[auth\n", encoding="utf-8")
    damaged = re2nn("app", "--address", EVERY, "--port", "18516", "--home", home)
    assert damaged.code == 2
    assert f"{secrets} cannot be read:" in damaged.err


def test_the_database_that_the_application_opens_is_asked(
    re2nn: Call, server: type[Server], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address in the environment goes before the folder, there and here."""
    assert re2nn("users", "add", "Ann", "--role", "owner", "--home", home).code == 0
    monkeypatch.setenv("RE2NN_DATABASE_URL", f"sqlite:///{tmp_path / 'other.db'}")
    outcome = re2nn("app", "--address", EVERY, "--port", "18516", "--home", home)
    assert outcome.code == 2
    assert "no account exists" in outcome.err


def test_the_addresses_that_are_answered_are_told(re2nn: Call, server: type[Server], home: Path) -> None:
    assert re2nn("users", "add", "Ann", "--role", "owner", "--home", home).code == 0
    names = ("--allow-host", "rules.example", "--allow-host", "fd00::7")
    outcome = re2nn("app", "--address", EVERY, "--port", "18516", "--home", home, *names)
    assert outcome.out.splitlines() == [
        "http://rules.example:18516  (Ctrl+C stops it)",
        "http://[fd00::7]:18516",
        "http://localhost:18516",
    ]
    assert "only this machine" not in outcome.err


def test_names_of_hosts_are_handed_on(re2nn: Call, server: type[Server]) -> None:
    assert re2nn("app", "--port", "18518", "--allow-host", "rules.example").code == 0
    command = server.started[0]["command"]
    allowed = [value for name, value in zip(command, command[1:], strict=False) if name == "--server.allowedHosts"]
    assert allowed == ["localhost", "127.0.0.1", "rules.example"]


def test_port_in_use(re2nn: Call, server: type[Server]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = re2nn("app", "--port", str(port))
    assert outcome.code == 2
    assert outcome.err.startswith(f"Error: Port {port} on 127.0.0.1 cannot be used: ")
    assert outcome.err.endswith("Choose another with --port or --address.\n")
    assert server.started == []


def test_home_that_is_a_file(re2nn: Call, server: type[Server], rules: Path) -> None:
    outcome = re2nn("app", "--home", rules)
    assert outcome.code == 2
    assert f"{rules}: this is a file. Give a folder for --home." in outcome.err


def test_package_without_the_application(
    re2nn: Call, server: type[Server], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(app, "application_folder", lambda: tmp_path)
    outcome = re2nn("app")
    assert outcome.code == 2
    assert "the application is not there, only the package was installed" in outcome.err


def test_server_that_fails(re2nn: Call, server: type[Server], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "code", 3)
    outcome = re2nn("app", "--port", "18517")
    assert outcome.code == 2
    assert "The server ended with code 3; its own messages are above." in outcome.err


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1"])
def test_port_that_is_none(re2nn: Call, server: type[Server], port: str) -> None:
    outcome = re2nn("app", "--port", port)
    assert outcome.code == 2
    assert f"'{port}' is no port: a whole number from 1 to 65535 is expected, such as 8501." in outcome.err


def test_server_that_does_not_end_when_asked_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(app, "_GRACE_SECONDS", 0.2)
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    asking = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGTERM))
    asking.start()
    began = time.monotonic()
    assert app._run([sys.executable, "-c", stubborn], tmp_path, dict(os.environ)) == 0
    assert time.monotonic() - began < 20
