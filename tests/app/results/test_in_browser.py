"""The table of results in Chromium: cells are buttons, keys walk through them, a click tells the runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.app.served import in_chromium, opened_page, picture, served

pytestmark = in_chromium
# Whether the button under the keys has a name that begins so; it stands behind the border of a component.
FOCUSED = """begin => {
  let at = document.activeElement;
  while (at && at.shadowRoot) at = at.shadowRoot.activeElement;
  return Boolean(at) && (at.getAttribute('aria-label') || '').startsWith(begin);
}"""


@pytest.mark.long
def test_a_cell_is_chosen_by_click_and_by_key(tmp_path: Path) -> None:
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/results")
        cell = page.get_by_role("button", name=re.compile("^FA-RNN, ATIS 1%: "))
        cell.wait_for()
        assert "published 90.43" in (cell.get_attribute("aria-label") or "")
        assert cell.get_attribute("aria-pressed") == "false"
        first = page.get_by_role("button", name=re.compile(r"^FA-RNN with auxiliary encoder \(ours\), ATIS 1%: "))
        assert first.get_attribute("aria-pressed") == "true"
        page.get_by_role("rowheader", name="BiGRU+kd", exact=True).wait_for()
        page.get_by_role("columnheader", name="QC", exact=True).wait_for()
        picture(page, "results")

        page.get_by_role("button", name=re.compile("^FA-RNN, QC 10%: ")).click()
        page.get_by_text("FA-RNN, QC 10%", exact=True).wait_for()
        page.get_by_text("Computer: Linux", exact=False).wait_for()

        page.keyboard.press("ArrowDown")
        page.wait_for_function(FOCUSED, arg="FA-GRU, QC 10%: ")
        page.keyboard.press("Enter")
        page.get_by_text("FA-GRU, QC 10%", exact=True).wait_for()

        page.get_by_label("Rows with").fill("BiGRU+")
        page.keyboard.press("Enter")
        page.get_by_role("rowheader", name="FA-RNN", exact=True).wait_for(state="detached")
        page.get_by_role("rowheader", name="BiGRU+io", exact=True).wait_for()
        picture(page, "results-filtered")
