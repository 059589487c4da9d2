"""The lists of what guards the application, printed: `pytest -s tests/app/security/test_lists.py` shows them."""

from __future__ import annotations

import sys

from support.app.doors import tables, ways
from support.app.page_parts import every_part
from support.app.page_scripts import CHECKED, every_html_place, html_places


def test_routes_parts_and_html_are_printed_with_their_check() -> None:
    printed = tables()
    sys.stdout.write(printed + "\n")
    assert "NOBODY" not in printed
    lines = printed.split("\n")
    assert [way.path for way in ways() if not any(line.startswith(f"{way.path} ") for line in lines)] == []
    assert [part for part in every_part() if not any(part.place in line and " asks f" in line for line in lines)] == []


def test_html_is_made_where_somebody_escapes_it_alone() -> None:
    found = every_html_place()
    assert [place for place in found if not place.check] == []
    assert len(CHECKED) <= len(found), "a line that no script has"


def test_a_place_that_makes_html_is_found() -> None:
    planted = ["row.innerHTML = text.label;", "link.href = text.url;", "eval(text)", 'link.setAttribute("onclick", x)']
    assert [place.check for place in html_places("\n".join(planted), "pages/planted.js")] == [""] * 4
    assert html_places("row.textContent = text.label;", "pages/planted.js") == []
