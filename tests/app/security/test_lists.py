"""The lists of what guards the application, printed: `pytest -s tests/app/security/test_lists.py` shows them."""

from __future__ import annotations

import sys

import pytest
from support.app.doors import NOBODY, part_lines, tables, ways
from support.app.page_parts import every_part
from support.app.page_scripts import CHECKED, every_html_place, html_places


def test_routes_parts_and_html_are_printed_with_their_check() -> None:
    printed = tables()
    sys.stdout.write(printed + "\n")
    lines = printed.split("\n")
    assert [line for line in lines if "NOBODY" in line] == []
    assert [way.path for way in ways() if not any(line.startswith(f"{way.path} ") for line in lines)] == []
    assert [part for part in every_part() if not any(part.place in line and " asks f" in line for line in lines)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "@st.fragment\ndef part(): ...",
        "@st.fragment(run_every=2)\ndef part(): ...",
        "st.dialog('Help')(part)",
        "row.download_button('Texts', data)",
        "from streamlit import fragment",
    ],
)
def test_a_part_without_its_check_is_printed_as_such(planted: str) -> None:
    lines = part_lines(f"{planted}\n\n@fragment()\ndef asks(): ...", "pages/planted.py")
    assert [NOBODY in line for line in lines].count(True) == 1, lines
    assert any(line.endswith("asks first: asks") for line in lines)


def test_html_is_made_where_somebody_escapes_it_alone() -> None:
    found = every_html_place()
    assert [place for place in found if not place.check] == []
    assert len(CHECKED) <= len(found), "a line that no script has"


def test_a_place_that_makes_html_is_found() -> None:
    planted = ["row.innerHTML = text.label;", "link.href = text.url;", "eval(text)", 'link.setAttribute("onclick", x)']
    assert [place.check for place in html_places("\n".join(planted), "pages/planted.js")] == [""] * 4
    assert html_places("row.textContent = text.label;", "pages/planted.js") == []
