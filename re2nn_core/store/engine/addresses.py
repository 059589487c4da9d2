"""Where the database is: a file, or the address of a PostgreSQL server."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from re2nn_core.errors import InputError

HOME_VARIABLE = "RE2NN_HOME"
DATABASE_VARIABLE = "RE2NN_DATABASE_URL"
DATABASE_NAME = "re2nn.sqlite3"
# Settings of PostgreSQL's addresses that hold a secret: password, sslpassword, oauth_client_secret, and their like.
_SECRET = re.compile("pass|secret|token|key_?data", re.IGNORECASE)
_SECRET_SETTING = re.compile(r"([?&;][^=&;]*(?:pass|secret|token)[^=&;]*=)[^&;#]*", re.IGNORECASE)
_EXAMPLE = "Give a file, sqlite:///path/to/file, or postgresql://user:password@server/database."


@dataclass(frozen=True)
class Address:
    """A database. `path` is its file, None on a server; `folder` holds the models and all else in files."""

    url: URL
    path: Path | None
    folder: Path

    @property
    def name(self) -> str:
        """How messages call it: the file, or the address without its password."""
        return str(self.path) if self.path else without_password(self.url)


def default_store_path() -> Path:
    """The database in the folder that RE2NN_HOME names, or else in the user's own data folder."""
    return default_folder() / DATABASE_NAME


def default_folder() -> Path:
    home = os.environ.get(HOME_VARIABLE) or platformdirs.user_data_dir("re2nn-studio", appauthor=False)
    return Path(home).expanduser().resolve()


def default_database() -> str:
    """The address in RE2NN_DATABASE_URL, or else the default file."""
    return os.environ.get(DATABASE_VARIABLE, "").strip() or str(default_store_path())


def read_address(database: str | Path | None) -> Address:
    """The database that is meant; InputError for an address that cannot be one."""
    if database is None:
        database = default_database()
    if isinstance(database, Path) or "://" not in database:
        return _of_file(str(database))
    try:
        url = make_url(database)
    except (ArgumentError, ValueError) as error:
        raise InputError(f"{_without_secrets(database)!r} is no database address. {_EXAMPLE}") from error
    kind = url.get_backend_name()
    if kind == "sqlite":
        return _of_file(url.database or "")
    if kind in ("postgresql", "postgres"):
        if not url.database:
            raise InputError(f"{without_password(url)} names no database. Write it behind the server: .../re2nn")
        return Address(url.set(drivername="postgresql+psycopg"), None, default_folder())
    raise InputError(
        f"The database {without_password(url)} is of a kind this version cannot use. Only SQLite and PostgreSQL "
        f"can be. {_EXAMPLE}"
    )


def _of_file(name: str) -> Address:
    if name.strip() in ("", ":memory:"):
        raise InputError("A database in memory cannot be shared with the processes that train. Give a file.")
    path = Path(name).expanduser().resolve()
    if path.is_dir():
        raise InputError(f"{path} is a folder. Name a file in it, for example {path / DATABASE_NAME}.")
    return Address(URL.create("sqlite", database=str(path)), path, path.parent)


def without_password(url: URL) -> str:
    """An address as messages show it: passwords before the server and among the settings behind it are `***`."""
    shown = {name: "***" if _SECRET.search(name) else value for name, value in url.query.items()}
    return url.set(query=shown).render_as_string(hide_password=True).replace("%2A%2A%2A", "***")


def _without_secrets(address: str) -> str:
    """The same for an address that cannot be read, which may hold a password all the same."""
    start, mark, rest = address.rpartition("@")
    shown = f"{start.partition('://')[0]}://***@{rest}" if mark else address
    return _SECRET_SETTING.sub(r"\1***", shown)
