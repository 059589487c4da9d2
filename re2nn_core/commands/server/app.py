"""app: start the application in the browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import click

from re2nn_core.commands._common.command_result import CommandResult, show
from re2nn_core.commands._common.options import PATH, note
from re2nn_core.commands._common.store_options import opened
from re2nn_core.errors import InputError
from re2nn_core.files import read_toml
from re2nn_core.services.projects.app_paths import application_folder

LOCAL = "127.0.0.1"
_LOCAL_NAMES = (LOCAL, "::1", "localhost")
_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - named to warn of it, not to listen on it
_FIRST_PORT, _PORTS_TRIED = 8501, 20
# How long the server may take to end when it is asked to. Where the reader of its messages is gone it never would.
_GRACE_SECONDS = 5.0


class Port(click.ParamType):
    """A number that a port can have."""

    name = "port"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip()
        if not text.isascii() or not text.isdigit() or not 0 < int(text[:9]) < 65536:
            self.fail(f"'{value}' is no port: a whole number from 1 to 65535 is expected, such as 8501.", param, ctx)
        return int(text)


@click.command("app")
@click.option("--port", type=Port(), metavar="NUMBER", help="[default: 8501, or the next free one]")
@click.option("--address", default=LOCAL, show_default=True, help="The address to listen on.")
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which other machines may open it; may be given several times.",
)
@click.option(
    "--home", type=PATH, help="Folder of projects and models. [default: $RE2NN_HOME or the user's data folder]"
)
@click.option("--headless", is_flag=True, help="Do not open a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the address instead of text.")
def app_command(
    port: int | None, address: str, hosts: tuple[str, ...], home: Path | None, headless: bool, as_json: bool
) -> int:
    """Start the application in the browser. Ctrl+C stops it.

    By default only this computer can reach it; with --address others can, and must sign in (`re2nn users`).

    \b
    Example: re2nn app --home ~/rules --headless
    """
    app = application_file()
    port = _free_port(port, address)
    environment = dict(os.environ)
    if home is not None:
        environment["RE2NN_HOME"] = str(_usable_folder(home))
    if not _is_local(address):
        _refuse_without_a_way_in(address, home, app.parent)
        note(_warning(address, hosts))
    urls = [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in _predicted_names(address, hosts)]
    # Printed before the server runs, since the command ends with it.
    reported = "\n".join([f"{urls[0]}  (Ctrl+C stops it)", *urls[1:]])
    show(
        CommandResult({"url": urls[0], "urls": urls, "home": environment.get("RE2NN_HOME")}, reported), as_json=as_json
    )
    command = server_command(app, port=port, address=address, hosts=hosts, headless=headless)
    return _run(command, app.parent, environment)


def _warning(address: str, hosts: tuple[str, ...]) -> str:
    warning = (
        f"Warning: {address} can be reached from other machines, so people must sign in. Passwords are sent "
        "unencrypted: put a proxy with https in front, or use it only in a network that you trust."
    )
    if address in _EVERY_ADDRESS and not hosts:
        options = " or ".join(f"--allow-host {name}" for name in _own_names())
        warning += (
            "\nNow only this machine can open it. Add the name or the address that others will type, such "
            f"as {options}."
        )
    return warning


def _predicted_names(address: str, hosts: Sequence[str]) -> list[str]:
    """The names under which the server answers, those for other machines in front."""
    if _is_local(address):
        return list(dict.fromkeys(("localhost", *hosts)))
    return list(dict.fromkeys((*hosts, "localhost" if address in _EVERY_ADDRESS else address)))


def _own_names() -> list[str]:
    """This machine's name, and its address in the network where it has one."""
    names = [socket.gethostname()]
    # A datagram socket that is only connected sends nothing; the address is one that is kept for examples.
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        names.append(str(probe.getsockname()[0]))
    return names


def _is_local(address: str) -> bool:
    """Whether this machine alone reaches an address."""
    return address in _LOCAL_NAMES or address.startswith("127.")


def _refuse_without_a_way_in(address: str, home: Path | None, folder: Path) -> None:
    """InputError where other machines reach the application and nobody could sign in."""
    from re2nn_core.store import DATABASE_VARIABLE, has_accounts
    from re2nn_core.store.engine.addresses import DATABASE_NAME

    # As the application will find it: there the address of a database goes before a folder.
    with opened(None if home is None or os.environ.get(DATABASE_VARIABLE) else home / DATABASE_NAME) as store:
        if has_accounts(store) or _names_a_provider(folder):
            return
        database = store.name
    where = "" if home is None else f" --home {home}"
    raise InputError(
        f"{address} can be reached from other machines, so people must sign in, but no account exists "
        f"({database}). Nothing was started.\n"
        f"Create the first account, which must be an owner: re2nn users add NAME --role owner{where}\n"
        "Or set up an OpenID Connect provider (re2nn help sign-in)."
    )


def _names_a_provider(folder: Path) -> bool:
    """Whether Streamlit's secrets name an OpenID Connect provider: of the application, or of the user."""
    for place in (folder, Path.home()):
        file = place / ".streamlit" / "secrets.toml"
        try:
            if file.is_file() and read_toml(file.read_text(encoding="utf-8")).get("auth"):
                return True
        except (OSError, ValueError) as error:
            raise InputError(f"{file} cannot be read: {error}. Fix or remove it.") from error
    return False


def application_file() -> Path:
    """app.py of this installation; InputError where the package was installed without it."""
    app = application_folder() / "app.py"
    if not app.is_file():
        raise InputError(
            f"{app}: the application is not there, only the package was installed. "
            "Install it from a copy of the repository: pip install FOLDER"
        )
    return app


def server_command(app: Path, *, port: int, address: str, headless: bool, hosts: Sequence[str] = ()) -> list[str]:
    """The arguments that start Streamlit on the application. Host names beyond this machine's own are allowed
    only as far as they are asked for, against DNS rebinding."""
    options = {
        "server.port": port,
        "server.address": address,
        "server.headless": str(headless).lower(),
        "browser.gatherUsageStats": "false",
    }
    settings = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    others = [*hosts, *([] if address in (*_LOCAL_NAMES, *_EVERY_ADDRESS) else [address])]
    if others:
        allowed = dict.fromkeys(("localhost", LOCAL, *others))
        settings += [part for name in allowed for part in ("--server.allowedHosts", name)]
    return [sys.executable, "-m", "streamlit", "run", str(app), *settings]


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> int:
    """Run the server until it ends; the folder is the repository, where Streamlit looks for its settings.

    Ctrl+C reaches the server by itself, so here it is only waited for; a request to end is handed on to it. After
    either it has a few seconds to end by itself.
    """
    ends = (0, -signal.SIGINT, -signal.SIGTERM)
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=sys.stderr) as server:
        grace = threading.Timer(_GRACE_SECONDS, server.kill)
        grace.daemon = True

        def end(*_: object) -> None:
            server.terminate()
            _start(grace)

        before = signal.signal(signal.SIGTERM, end)
        try:
            code = _wait(server, grace)
        finally:
            grace.cancel()
            signal.signal(signal.SIGTERM, before)
    killed = grace.ident is not None and code == -signal.SIGKILL
    if code not in ends and not killed:
        raise InputError(f"The server ended with code {code}; its own messages are above.")
    return 0


def _start(timer: threading.Timer) -> None:
    if timer.ident is None:
        timer.start()


def _wait(server: subprocess.Popen[bytes], grace: threading.Timer) -> int:
    while True:
        try:
            return server.wait()
        except KeyboardInterrupt:
            _start(grace)


def _usable_folder(home: Path) -> Path:
    """The folder as an absolute path, made if need be."""
    if home.exists() and not home.is_dir():
        raise InputError(f"{home}: this is a file. Give a folder for --home.")
    home.mkdir(parents=True, exist_ok=True)
    return home.resolve()


def _free_port(port: int | None, address: str) -> int:
    """The given port, or the first free one from 8501 on."""
    candidates = range(_FIRST_PORT, _FIRST_PORT + _PORTS_TRIED) if port is None else (port,)
    trouble = ""
    for candidate in candidates:
        trouble = _trouble_with(candidate, address)
        if not trouble:
            return candidate
    given = f"Port {port}" if port is not None else f"Every port from {_FIRST_PORT} to {candidates[-1]}"
    raise InputError(f"{given} on {address} cannot be used: {trouble}. Choose another with --port or --address.")


def _trouble_with(port: int, address: str) -> str:
    """Why the port cannot be listened on; empty where it can."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with closing(socket.socket(family, socket.SOCK_STREAM)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""
