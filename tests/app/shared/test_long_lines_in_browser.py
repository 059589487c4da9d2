"""The rule editor stays quick where a line is long, and offers to break it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.app.served import chromium, in_chromium

from pages._shared.catalog import ASSETS
from re2nn_core.rules.read import read_rules

pytestmark = in_chromium

MOUNT = """text => {
  window.component = {
    parentElement: document.body, setStateValue() {}, setTriggerValue() {},
    data: { label: "rules", text, revision: 1, sequence: 0, faults: [], notes: [], reveal: { line: 1, nonce: 0 },
            colours: {}, language: "rules", below: 100, dirty: false, base: 0, token: "t", storage: "s" } };
  mount(window.component);
}"""
TYPE = """() => {
  const area = document.querySelector("textarea");
  area.focus();
  area.setSelectionRange(30, 30);
  const began = performance.now();
  for (let key = 0; key < 5; key += 1) {
    document.execCommand("insertText", false, "z");
    document.body.offsetHeight;
  }
  return (performance.now() - began) / 5;
}"""


@pytest.fixture
def page() -> Iterator:  # type: ignore[type-arg]
    html, css, js = ((ASSETS / name).read_text(encoding="utf-8") for name in ("editor.html", "editor.css", "editor.js"))
    script = js.replace("export default function", "window.mount = function")
    with chromium() as browser:
        found = browser.new_page()
        found.set_content(f"<style>{css}</style>{html}<script type=module>{script}\nwindow.ready = 1</script>")
        found.wait_for_function("window.ready")
        yield found


def _rules(kilobytes: int) -> str:
    words = " | ".join(f"w{number}" for number in range(kilobytes * 1000 // 8))
    return f"[x]\nr := $* ( {words} ) $*\n"


@pytest.mark.parametrize("kilobytes", [2, 20, 200])
def test_a_key_in_a_long_line_takes_a_moment(page, kilobytes: int) -> None:  # type: ignore[no-untyped-def]
    page.evaluate(MOUNT, _rules(kilobytes))
    assert page.evaluate(TYPE) < 1_000  # milliseconds, on a busy machine; 20 KB took 5,000 and more
    assert page.locator(".offer").is_visible() == (kilobytes > 2)


@pytest.mark.long
def test_a_long_line_is_broken_into_the_same_rule(page) -> None:  # type: ignore[no-untyped-def]
    rules = _rules(20)
    page.evaluate(MOUNT, rules)
    page.evaluate("() => document.querySelector('textarea').setSelectionRange(30, 30)")
    page.locator("textarea").press("End")
    page.locator(".offer").click()
    broken = page.locator("textarea").input_value()
    assert max(map(len, broken.split("\n"))) < 200
    assert read_rules(broken).ruleset.rules[0].tree == read_rules(rules).ruleset.rules[0].tree
    assert page.locator(".line .word").count() > 2_000  # colours are back
    assert not page.locator(".offer").is_visible()
