"""A PostgreSQL server of the tests' own, from Debian's binaries: made in a temporary folder, reached by a socket there.

It refuses to run as root, so it then runs as the user that Debian made for it, or as nobody.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

MISSING = "PostgreSQL's initdb is not under /usr/lib/postgresql; install it: apt-get install postgresql"


def binaries() -> Path | None:
    """The folder of the newest version's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """A running server. `address` is for administration; each call of `database` makes a new, empty one."""

    def __init__(self, folder: Path, control: Callable[..., None]) -> None:
        self._control = control
        self._url = sa.URL.create("postgresql+psycopg", username="re2nn", query={"host": str(folder)})
        self._engine = sa.create_engine(self._url.set(database="postgres"), isolation_level="AUTOCOMMIT")

    def database(self, options: str = "") -> str:
        """The address of a new database."""
        name = f"test_{uuid4().hex}"
        with self._engine.connect() as connection:
            connection.exec_driver_sql(f'CREATE DATABASE "{name}" {options}')
        return self.address(name)

    def address(self, name: str, user: str = "re2nn") -> str:
        url = self._url.set(drivername="postgresql", username=user, database=name)
        return url.render_as_string(hide_password=False)

    def drop(self, address: str) -> None:
        name = sa.make_url(address).database
        with self._engine.connect() as connection:
            connection.exec_driver_sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def run(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.exec_driver_sql(statement)

    def start(self) -> None:
        self._control("start")

    def stop(self, how: str = "fast") -> None:
        """`fast` ends transactions and says so; `immediate` is a crash."""
        self.close()
        self._control("-m", how, "stop")

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def running_server(*, safe: bool = False) -> Iterator[Server]:
    """A server until the end of the block. Without `safe` it never waits for the disk, which tests need not."""
    programs = binaries()
    if programs is None:
        raise FileNotFoundError(MISSING)
    # Under /tmp whatever TMPDIR says: the path of a socket has at most about a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="re2nn-pg-", dir="/tmp"))
    who = _unprivileged(folder)
    data = folder / "data"
    settings = "-c listen_addresses='' -c max_connections=100"
    if not safe:
        settings += " -c fsync=off -c full_page_writes=off"
    try:
        make = [str(programs / "initdb"), "-D", str(data), "-U", "re2nn", "--auth=trust", "-E", "UTF8"]
        _call([*make, "--locale=C.UTF-8"], who)
        fixed = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log")]

        def control(*words: str) -> None:
            _call([*fixed, "-o", f"{settings} -k {folder}", *words], who)

        control("start")
        server = Server(folder, control)
        try:
            yield server
        finally:
            server.close()
            control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged(folder: Path) -> dict[str, Any]:
    """For subprocess: another user where this is root, who then owns the folder."""
    if os.getuid() != 0:
        return {}
    names = {user.pw_name for user in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _call(command: list[str], who: dict[str, Any]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/", **who
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
