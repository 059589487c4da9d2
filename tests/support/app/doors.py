"""Every route of the server, what runs without the whole page, and where scripts make HTML, with what guards each.

python tests/support/app/doors.py          prints all three as tables
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[3]), str(Path(__file__).parents[2])]

from streamlit.runtime import Runtime
from support.app.app_studio import ROOT
from support.app.page_parts import BARE, bare_uses, files, parts
from support.app.page_scripts import every_html_place

from pages._shared.server.doors import UPLOADS, Door, door_of

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ASKS, NOBODY = "asks first", "NOBODY ASKS"
_SHOWN = 60  # characters of a title


@dataclass(frozen=True)
class Way:
    """A route of the server: an address that it answers, in which names stand for what differs."""

    path: str
    methods: tuple[str, ...]

    @property
    def door(self) -> Door:
        return door_of(self.path)


def ways() -> list[Way]:
    """Every route that the application's server has, Streamlit's own too."""
    spec = importlib.util.spec_from_file_location("served_app", ROOT / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        return [_way(route) for route in module.app._build_starlette_app().routes]
    finally:
        # One a process; tests of pages bring their own.
        Runtime._instance = None


def _way(route: BaseRoute) -> Way:
    path, methods = getattr(route, "path", ""), getattr(route, "methods", None)
    return Way(path.replace(":path}", "}") or "/", tuple(sorted(methods or ("GET",))))


def tables() -> str:
    """All of it as text."""
    routes = [f"{way.path:44} {' '.join(way.methods):40} {way.door.asks:8} {way.door.why}" for way in ways()]
    pages = [line for file in files() for line in part_lines(file.read_text("utf-8"), str(file.relative_to(ROOT)))]
    html = [f"{one.place:44} {one.check or 'NOBODY ESCAPES IT'}: {one.line}" for one in every_html_place()]
    heads = "Parts that run without the whole page, downloads and uploads", "Where scripts make HTML or set addresses"
    return "\n".join(["Routes", *routes, "", heads[0], *pages, "", heads[1], *html])


def part_lines(source: str, file: str) -> list[str]:
    """A line for each part, download and upload that a file of the pages has, with what guards it."""
    asks = door_of(f"{UPLOADS}session/file").asks == "sign-in"
    checks = {"upload": "its route asks for a sign-in" if asks else NOBODY}
    bare = {use: f"{use.rpartition(':')[0]:56} {use.split()[-1]:16} {NOBODY}" for use in bare_uses(source, file)}
    places = {use.rpartition(":")[0] for use in bare}
    asking = () if file in BARE.values() else parts(source, file)
    kept = [part for part in asking if part.place not in places]
    lines = [f"{part.place:56} {part.kind:16} {checks.get(part.kind, ASKS)}: {part.what[:_SHOWN]}" for part in kept]
    return sorted([*lines, *bare.values()])


if __name__ == "__main__":
    sys.stdout.write(tables() + "\n")
