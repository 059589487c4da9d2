"""The rule editor stays quick where a line is long, offers to break it, and completes words while somebody types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.app.served import in_chromium, window

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
SHOW = """([number, text]) => {
  Object.assign(window.component.data, { text, revision: number + 1 });
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


SIZE = {"width": 1280, "height": 720}


@pytest.fixture(scope="module")
def shared(browser) -> Iterator:  # type: ignore[no-untyped-def, type-arg]
    with window(browser, **SIZE) as found:
        yield found


@pytest.fixture
def page(shared):  # type: ignore[no-untyped-def]
    """An editor in a new document, which knows nothing of the one before; a new window takes four times as long."""
    names = ("editor.html", "editor.css", "completion.js", "editor.js")
    html, css, completion, js = ((ASSETS / name).read_text(encoding="utf-8") for name in names)
    script = completion + js.replace("export default function", "window.mount = function")
    shared.goto("about:blank")
    shared.set_viewport_size(SIZE)
    shared.set_content(f"<style>{css}</style>{html}<script type=module>{script}\nwindow.ready = 1</script>")
    shared.wait_for_function("window.ready")
    return shared


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


COMPLETED = """@city@=(paris | rome)
[flight]
Fly := $* fl
"""
WORDS = "() => {{ globalThis.re2nnWords = {}; globalThis.re2nnSpelt = {}; }}".format(
    *(
        [{"name": name, "note": f"{count} in the texts"} for name, count in counts]
        for counts in ((("flights", 90), ("flight", 60), ("flying", 3)), (("Flint", 4),))
    )
)


@pytest.mark.parametrize(
    ("typed", "keys", "line", "offered"),
    [
        ("r := $* fl", ["Tab"], "r := $* flights", ["flights", "flight", "flying"]),
        ("r := $* FLY", ["Tab"], "r := $* flying", ["flying"]),
        ("r := $* fl", ["ArrowDown", "Enter"], "r := $* flight", ["flights", "flight", "flying"]),
        ("r := $* fl", ["ArrowUp", "Enter"], "r := $* flying", ["flights", "flight", "flying"]),
        ("r := $* fl", ["Escape", "x"], "r := $* flx", ["flights", "flight", "flying"]),
        ("r := to @c", ["Tab"], "r := to @city@", ["@city@"]),
        ("[fl", ["Tab"], "[flight]", ["flight"]),
        ("r := $* fl", ["Enter"], "r := $* flights", ["flights", "flight", "flying"]),
        ("r := $* flight", ["Enter"], "r := $* flight\n", ["flights"]),  # a word already
        ("r := $* fl bu", ["Enter"], "r := $* fl but not ( $* word $* )", ["but not ( $* word $* )"]),
        ("@", ["ArrowDown", "Enter"], "@name@=( one | two )", ["@city@", "@name@=( one | two )"]),
        ("r := f", [], "r := f", []),  # one letter
        ("r := flying", [], "r := flying", []),  # whole already
        ("fl", [], "fl", []),  # the name of a new rule
        ("r := a // fl", [], "r := a // fl", []),  # a comment
        ("r := @city@fl", ["Tab"], "r := @city@flights", ["flights", "flight", "flying"]),
        ('r := a case"F', ["Tab"], 'r := a case"Flint"', ["Flint", "flights", "flight", "flying"]),
        ('r := ~"fly', ["Tab"], 'r := ~"flying"', ["flying"]),
        ('r := ( "a" | lemma:"fly', ["Tab"], 'r := ( "a" | lemma:"flying"', ["flying"]),
        ('r := re"(un)?fly', ["Tab"], 'r := re"(un)?flying', ["flying"]),  # more of the expression may follow
        ('r := "a" fly', ["Tab"], 'r := "a" flying', ["flying"]),  # no quote is open
        ("r := a lem", ["Tab"], 'r := a lemma:"', ['lemma:"']),
        ("r := a re", ["Tab"], 'r := a re"', ['re"']),
        ("r := @~fly", ["Tab"], "r := @~flying:0.6@", ["@~flying:0.6@"]),
    ],
)
def test_what_stands_before_the_caret_is_completed(page, typed, keys, line, offered) -> None:  # type: ignore[no-untyped-def]
    page.evaluate(MOUNT, COMPLETED)
    page.evaluate(WORDS)
    area = page.locator("textarea")
    area.press("Control+End")
    area.press_sequentially(typed)
    assert page.locator(".completions span").all_text_contents() == offered or not offered
    assert page.locator(".completions").is_visible() == bool(offered)
    if offered:
        assert offered[0] in page.locator(".spoken").text_content()
    for key in keys:
        area.press(key)
    assert area.input_value() == COMPLETED + line
    if keys:
        assert not page.locator(".completions").is_visible()


def test_undo_takes_a_completion_back(page) -> None:  # type: ignore[no-untyped-def]
    page.evaluate(MOUNT, COMPLETED)
    page.evaluate(WORDS)
    area = page.locator("textarea")
    area.press("Control+End")
    area.press_sequentially("s := fly")
    area.press("Tab")
    assert area.input_value().endswith("s := flying")
    area.press("Control+z")
    assert "flying" not in area.input_value()


@pytest.mark.parametrize(
    ("data", "choice", "line"),
    [
        ("", 2, "my := $* word $*"),
        ("", 3, "my := $* word $* but not ( $* other $* )"),
        ("", 4, "@my@=( one | two )"),
        ("slots: true,", 1, "my := $* to [ $ ]<slot> $*"),
        ('language: "toml",', 1, 'default = "my"'),
        ('slots: true, language: "toml",', 1, 'priorities = ["my > other"]'),
    ],
)
def test_ctrl_space_offers_rules_to_fill_in_on_an_empty_line(page, data, choice, line) -> None:  # type: ignore[no-untyped-def]
    """The name is selected, so that the person's own takes its place."""
    page.evaluate(MOUNT.replace("below: 100,", f"below: 100, {data}"), "")
    area = page.locator("textarea")
    area.focus()
    assert "Ctrl+Space" in page.locator(".status").text_content()
    area.press("Control+Space")
    for _ in range(choice - 1):
        area.press("ArrowDown")
    area.press("Enter")
    area.press_sequentially("my")
    assert area.input_value() == line


def test_the_list_does_not_cover_the_line_of_errors(page) -> None:  # type: ignore[no-untyped-def]
    page.set_viewport_size({"width": 1024, "height": 700})
    page.evaluate(MOUNT.replace("below: 100,", "below: 400,"), COMPLETED + "a\n" * 9)
    page.evaluate(WORDS)
    area = page.locator("textarea")
    area.press("Control+End")
    area.press_sequentially("r := $* fl")
    items, status = page.locator(".completions").bounding_box(), page.locator(".status").bounding_box()
    assert items["y"] + items["height"] <= status["y"]


def test_completion_is_quick_with_many_words_and_a_long_line(page) -> None:  # type: ignore[no-untyped-def]
    page.evaluate(MOUNT, _rules(200))
    page.evaluate("""() => { globalThis.re2nnWords = [...Array(10000).keys()].map(
      (n) => ({ name: `z${String.fromCharCode(97 + n % 26)}${n}`, note: `${n}` })); }""")
    assert page.evaluate(TYPE) < 1_000  # milliseconds
    page.evaluate("() => document.querySelector('textarea').setSelectionRange(1e9, 1e9)")
    page.locator("textarea").press_sequentially("r := zb")
    assert page.locator(".completions span").count() == 8


LINE = "r := $* ( a | ( b ) ) [ c ]<s> [^ d e ] but not ( $* f ) // ( g )"


@pytest.mark.parametrize(
    ("language", "line", "column", "pair"),
    [
        ("rules", LINE, 9, "()"),
        ("rules", LINE, 15, "()"),
        ("rules", LINE, 21, "()"),
        ("rules", LINE, 23, "[]<s>"),
        ("rules", LINE, 30, "[]<s>"),
        ("rules", LINE, 33, "[^]"),
        ("rules", LINE, 39, "[^]"),
        ("rules", LINE, 49, "()"),
        ("rules", LINE, 7, ""),  # beside none
        ("rules", LINE, 61, ""),  # a comment
        ("rules", "r := ( a", 6, ""),
        ("rules", "r := ( a ]", 6, ""),
        ("toml", 'logic = ["a & b -> c"]', 9, "[]"),
        ("toml", 'logic = ["a & b -> c"]', 22, "[]"),
    ],
)
def test_the_bracket_beside_the_caret_is_shown_with_its_partner(page, language, line, column, pair) -> None:  # type: ignore[no-untyped-def]
    page.evaluate(MOUNT.replace('language: "rules"', f'language: "{language}"'), line)
    page.evaluate(f"() => document.querySelector('textarea').setSelectionRange({column - 1}, {column - 1})")
    page.locator("textarea").press("ArrowRight")
    page.wait_for_function(
        "text => [...document.querySelectorAll('.pair')].map(p => p.textContent).join('') === text", arg=pair
    )


def test_lines_are_made_comments_and_back_and_undo_takes_it_back(page) -> None:  # type: ignore[no-untyped-def]
    lines, commented = "[x]\nr := a\n\ns := b\n", "[x]\n// r := a\n\n// s := b\n"
    page.evaluate(MOUNT, lines)
    area = page.locator("textarea")
    area.focus()
    page.evaluate("() => document.querySelector('textarea').setSelectionRange(5, 14)")
    for key, expected in (("/", commented), ("/", lines), ("z", commented), ("z", lines)):
        area.press(f"Control+{key}")
        assert area.input_value() == expected


def test_undo_takes_an_accepted_proposal_back(page) -> None:  # type: ignore[no-untyped-def]
    """In the editor, and where the focus is on the button that accepted it; what was typed before goes next."""
    page.evaluate(MOUNT, COMPLETED)
    area = page.locator("textarea")
    area.press("Control+End")
    area.press_sequentially("s := fly")
    typed = area.input_value()
    area.evaluate("area => area.blur()")
    for number in (1, 2):
        proposed = f"r{number} := $* price $*\n"
        page.evaluate(SHOW, [number, COMPLETED + proposed * number])
        assert area.input_value() == COMPLETED + proposed * number
        assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Control+z")
    assert area.input_value() == COMPLETED + "r1 := $* price $*\n"
    area.press("Control+z")
    assert area.input_value() == typed
