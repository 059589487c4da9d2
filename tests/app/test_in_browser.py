"""The live editor and the list of rules in Chromium: what AppTest cannot drive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.app_studio import small_project
from support.app.served import adjudicated, in_chromium, picture, put_caret_behind, sync_api, window
from support.projects.span_samples import annotated_project

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.services.rule_writing.rule_saving import return_to
from re2nn_core.store import ProjectRecord, Store, create_project, latest_version, open_store, save_version
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

pytestmark = in_chromium


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def project(store: Store, request: pytest.FixtureRequest) -> ProjectRecord:
    return small_project(store, request.node.name)


@pytest.fixture
def page(server: tuple[str, Path], project: ProjectRecord, browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    with window(browser) as opened:
        opened.goto(f"{server[0]}/rules?project={project.id}")
        opened.locator("textarea[aria-label=Rules]").wait_for()
        yield opened


def test_typing_is_live_and_can_be_saved(page: sync_api.Page, store: Store, project: ProjectRecord) -> None:
    """From a keystroke to new figures, to a fault, and to a new version, with the caret never moved."""
    page.locator(".row.rule", has_text="lost").locator(".number").first.wait_for()
    assert page.title() == f"Write rules · {project.name} · RE2NN Studio"
    put_caret_behind(page, "lost := $* ( lost"[:11])
    page.keyboard.type("( suitcase | ")
    page.locator(".status.bad", has_text="is never closed").wait_for()
    put_caret_behind(page, "( suitcase | lost")
    page.keyboard.type(" )")
    page.locator(".line", has_text="suitcase").locator(".note", has_text="3").wait_for()
    page.locator("[class*=st-key-_rules_view]").get_by_text("Effect").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as rules v2.").wait_for()
    said = page.get_by_test_id("stToast").bounding_box()
    saves = page.get_by_role("button", name="Save as new version").bounding_box()
    assert said is not None
    assert saves is not None
    assert said["y"] > saves["y"] + saves["height"], "it covers the bar or the button"
    assert "( suitcase | lost )" in latest_version(store, project.id).rules_text
    area = page.locator("textarea[aria-label=Rules]")
    assert area.evaluate("area => area.getRootNode().activeElement === area")
    assert area.evaluate("area => area.value.slice(0, area.selectionStart)").endswith("( suitcase | lost )")


def test_the_view_before_the_effect_of_an_edit_is_back_when_it_is_saved(page: sync_api.Page) -> None:
    page.locator(".row.rule", has_text="lost").locator(".number").first.wait_for()
    views = page.locator("[class*=st-key-_rules_view]")
    put_caret_behind(page, "lost := $* ( lost"[:11])
    page.keyboard.type("( suitcase | lost ) $* // ")
    views.get_by_text("Effect").click()
    page.get_by_text("Effect of this edit").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as rules v2.").wait_for()
    views.get_by_text("Effect").wait_for(state="detached")
    page.locator(".st-key-re2_texts mark.re2-hit").first.wait_for()


def test_a_click_on_the_name_of_a_project_opens_it(page: sync_api.Page, project: ProjectRecord) -> None:
    """And on any other place of its card; More stays a button of its own."""
    page.get_by_role("link", name="Projects").first.click()
    card = page.locator(f"[class*=st-key-re2_card_own_]:has(.st-key-open_{project.id})")
    card.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Rename").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rename").wait_for(state="detached")
    name = card.get_by_text(project.name, exact=True).bounding_box()
    assert name is not None
    page.mouse.click(name["x"] + 5, name["y"] + 5)
    page.locator("textarea[aria-label=Rules]").wait_for()
    assert f"project={project.id}" in page.url


def test_a_rule_that_no_formula_names_is_added_to_it_in_the_editor(page: sync_api.Page) -> None:
    page.get_by_role("tab", name="Label logic").click()
    page.locator("textarea[aria-label='Label logic']").fill('logic = ["bag & !fly -> baggage"]\n')
    page.locator(".row.rule", has_text="not in the formula").wait_for()
    page.get_by_role("tab", name="Rules").click()
    page.locator(".status.odd", has_text="rule 'lost': the rule changes nothing").wait_for()
    page.get_by_role("button", name="Add lost to the formula of baggage").click()
    page.locator(".status.odd").wait_for(state="detached")
    page.get_by_role("tab", name="Label logic").click()
    text = page.locator("textarea[aria-label='Label logic']").input_value()
    assert text == 'logic = ["(bag | lost) & !fly -> baggage"]\n'


def test_ctrl_s_saves_from_the_label_logic_and_keeps_the_message(
    page: sync_api.Page, store: Store, project: ProjectRecord
) -> None:
    """The same as from the rules, once for each press; what stands in the message field belongs to the version."""
    page.get_by_role("tab", name="Label logic").click()
    logic = page.locator("textarea[aria-label='Label logic']")
    logic.fill('default = "flight"\n')
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as rules v2.").wait_for()
    assert latest_version(store, project.id).logic_text == 'default = "flight"\n'
    logic.fill('default = "baggage"\n')
    page.locator("button:not([disabled])", has_text="Save as new version").wait_for()
    page.get_by_label("Description", exact=True).click()
    page.keyboard.type("another default")
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as rules v3.").wait_for()
    version = latest_version(store, project.id)
    assert (version.logic_text, version.message) == ('default = "baggage"\n', "another default")


def test_letters_are_text_and_a_reload_loses_nothing(page: sync_api.Page) -> None:
    """c and r are shortcuts of the page around the editor, and the browser's reload ends the session."""
    put_caret_behind(page, "[flight]\n")
    page.keyboard.type("car := c r c r\n")
    page.locator(".row.rule", has_text="car").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.locator(".row.rule", has_text="car").wait_for()


def test_a_rule_is_switched_off_in_the_list(page: sync_api.Page) -> None:
    """The box before a rule comments its lines out; a figure shows the texts behind it."""
    page.locator(".row.rule", has_text="to_place").locator("button.number").first.click()
    page.locator("mark.re2-hit", has_text="rome").first.wait_for()
    page.locator(".row.rule", has_text="to_place").locator("input[type=checkbox]").click()
    page.locator(".row.rule.off", has_text="to_place").wait_for()
    page.locator(".line", has_text="//- to_place").wait_for()


def test_three_keys_lead_from_missed_texts_to_an_accepted_proposal(
    server: tuple[str, Path], browser: sync_api.Browser, store: Store
) -> None:
    """Enter on the missed texts, P for proposals, 1 for the first of them."""
    texts = [Example(f"how much is {city}", "fare") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")]
    texts += [Example(f"good {what}", "other") for what in ("morning", "evening", "bye", "one", "idea")]
    project = create_project(
        store, name="Keys", examples=Corpus(tuple(texts)), rules_text="[fare]\n$* price $*\n", logic_text="", author="a"
    )
    with window(browser) as page:
        page.goto(f"{server[0]}/rules?project={project.id}")
        page.locator("textarea[aria-label=Rules]").wait_for()
        _accept_by_three_keys(page)


def _accept_by_three_keys(page: sync_api.Page) -> None:
    missed = page.get_by_role("radio", name="Missed")
    missed.wait_for()
    missed.focus()
    page.keyboard.press("Enter")
    page.locator(".re2-texts, [class*=re2_row_text_]").first.wait_for()
    page.keyboard.press("p")
    page.get_by_role("button", name="Accept").first.wait_for()
    before = page.locator("textarea[aria-label=Rules]").input_value()
    page.keyboard.press("1")
    page.locator(".line", has_text="$* much $*").wait_for()
    assert page.locator("textarea[aria-label=Rules]").input_value() != before


def test_the_caret_stays_where_a_message_above_the_editor_goes(
    server: tuple[str, Path], browser: sync_api.Browser, project: ProjectRecord
) -> None:
    """That a link's rule is not there is said until another rule is looked at, here by the caret."""
    with window(browser) as page:
        page.set_default_timeout(20_000)
        page.goto(f"{server[0]}/rules?project={project.id}&rule=gone")
        said = page.get_by_text("Rules v1 have no rule")
        said.wait_for()
        put_caret_behind(page, "lost := $*")
        page.keyboard.press("ArrowRight")
        said.wait_for(state="detached")
        page.keyboard.type("( suitcase | ")
        page.locator(".line", has_text="( suitcase | ").wait_for()


@pytest.mark.long
def test_a_click_counts_more_than_the_caret_before_it(page: sync_api.Page) -> None:
    """The editor sends where its caret stands when it is left, so just before a click on the list; and figures that
    come while the button of the mouse is down take no click away."""
    figure = page.locator(".row.rule", has_text="to_place").locator("button.number").first
    figure.wait_for()
    page.locator("textarea[aria-label=Rules]").evaluate(
        """(area, figure) => {
            const leave = (text, caret) => {
                area.focus();
                area.value = text;
                area.setSelectionRange(caret, caret);
                area.dispatchEvent(new Event("input"));
                area.blur();
            };
            leave(area.value.replace("lost $*", "( lost | suitcase ) $*"), 0);
            leave(area.value, area.value.indexOf("lost :="));
            figure.click();
        }""",
        figure.element_handle(),
    )
    page.locator(".line", has_text="suitcase").locator(".note", has_text="3").wait_for()
    page.locator("mark.re2-hit", has_text="rome").first.wait_for()
    figure.hover()
    page.mouse.down()
    held = figure.element_handle()
    page.locator("textarea[aria-label=Rules]").evaluate(
        """area => {
            area.value = area.value.replace("lost := $* ", "lost := $* ( ");
            area.dispatchEvent(new Event("input"));
        }"""
    )
    page.locator(".status.bad", has_text="is never closed").wait_for()
    page.mouse.up()
    page.locator(".row.head", has_text="as last read without errors").wait_for()
    assert not held.evaluate("figure => figure.isConnected")
    texts_are_of(page, "to_place")


def texts_are_of(page: sync_api.Page, rule: str) -> None:
    """Wait until the texts of one rule are shown."""
    page.locator(".st-key-rules_all button").first.wait_for()
    page.locator("b", has_text=re.compile(f"^{rule}$")).first.wait_for()


@pytest.mark.long
def test_captures_are_coloured_and_spans_are_walked_through(
    server: tuple[str, Path], store: Store, browser: sync_api.Browser
) -> None:
    """Captures carry the colour of their slot while they are typed; a row of spans is chosen by click and by key."""
    project = annotated_project(store)
    with window(browser) as page:
        page.goto(f"{server[0]}/rules?project={project.id}")
        page.locator(".captured", has_text="]<from_city>").first.wait_for()
        page.locator(".row.label", has_text="to_city").get_by_text("F1").wait_for()
        put_caret_behind(page, "to [ $ $?")
        page.keyboard.type(" ]<day> [ now")
        page.locator(".line", has_text="]<day> [ now ]<to_city>").locator(".captured.tag").nth(3).wait_for()
        # It stands below both of its slots, to_city in front.
        page.locator(".row.rule", has_text="from_to").nth(1).locator("button.number").first.click()
        texts_are_of(page, "from_to")
        page.locator("mark.re2-span", has_text="rome").first.wait_for()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{server[0]}/predict?project={project.id}")
        page.get_by_text("Texts of this project").click()
        page.locator(".row", has_text="from rome").locator("mark", has_text="friday").click()
        page.locator(".st-key-predict_reason", has_text="from_to").wait_for()
        page.keyboard.press("ArrowDown")
        page.locator(".st-key-predict_reason", has_text="bergen monday").wait_for()


@pytest.mark.long
def test_a_sentence_stops_a_save_and_a_version_comes_back(
    page: sync_api.Page, store: Store, project: ProjectRecord
) -> None:
    """By keyboard: a sentence typed beside the rule fails at once, stops Ctrl+S, and a reason lets it through; then the
    history leads back, and back again."""
    page.locator(".row.rule", has_text="lost").get_by_text("lost", exact=True).click()
    texts_are_of(page, "lost")
    page.get_by_text("Sentences", exact=True).click()
    page.get_by_label("Must match", exact=True).fill("my suitcase is gone")
    page.keyboard.press("Enter")
    page.get_by_text("Sentences ✗ 1/1").wait_for()
    page.get_by_text("refuses it; the nearest that it matches is").first.wait_for()
    page.get_by_role("button", name="Save as new version").click()
    page.get_by_text("Not saved.").wait_for()
    page.get_by_label("Reason to save anyway").fill("next week")
    page.keyboard.press("Enter")
    page.locator("button:not([disabled])", has_text="Save anyway").click()
    page.get_by_text("Saved as rules v2").wait_for()
    for number, back in ((1, 3), (2, 4)):
        page.get_by_role("button", name="History").click()
        page.get_by_role("button", name=f"Restore v{number}", exact=True).click()
        page.get_by_text(f"Saved as rules v{back}: the rules of v{number}.").wait_for()
    newest = latest_version(store, project.id)
    assert (newest.number, newest.message) == (4, "Restored rules v2")
    assert "my suitcase is gone" in newest.sentences_text


@pytest.mark.long
def test_a_double_click_undoes_one_step(page: sync_api.Page, store: Store, project: ProjectRecord) -> None:
    """The undo of a restored version leads to what it replaced, and no further, however often it is clicked; the redo
    stands beside the next undo."""
    rules = latest_version(store, project.id).rules_text
    written = f"{rules}gate := $* gate $*\n"
    save_version(store, project.id, rules_text=written, logic_text="", author="Ann", expected_number=1)
    restored = return_to(store, project, 1, author="Ann", expected_number=2)
    page.reload()
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Back to rules v2", exact=True).dblclick()
    page.get_by_text("Saved as rules v4: the rules of v2.").wait_for()
    redo = page.get_by_role("button", name="Forward to rules v3", exact=True)

    def opened() -> bool:
        """A page that is still being drawn closes what was opened meanwhile."""
        adjudicated(page)
        if not redo.is_visible():
            page.get_by_role("button", name="History").click()
        page.wait_for_timeout(1000)
        return redo.is_visible()

    assert any(opened() for _ in range(20))
    page.get_by_role("button", name="Back to rules v1", exact=True).wait_for()
    newest = latest_version(store, project.id)
    assert (newest.number, newest.rules_text, newest.message) == (4, written, "Undo of rules v3")
    redo.click()
    page.get_by_text("Saved as rules v5: the rules of v3.").wait_for()
    assert latest_version(store, project.id).rules_text == restored.rules_text


@pytest.mark.long
def test_an_edit_comes_back_though_somebody_saved_meanwhile(
    page: sync_api.Page, store: Store, project: ProjectRecord
) -> None:
    """The browser's reload ends the session; its edits of rules and of the logic stand against the newer version."""
    put_caret_behind(page, "[flight]\n")
    page.keyboard.type("funny := joke\n")
    page.locator(".row.rule", has_text="funny").wait_for()
    page.get_by_role("tab", name="Label logic").click()
    page.locator("textarea[aria-label='Label logic']").fill('default = "baggage"\n')
    page.locator("button:not([disabled])", has_text="Save as new version").wait_for()
    page.wait_for_timeout(500)
    rules = latest_version(store, project.id).rules_text
    kids = rules.replace("[baggage]\n", "[baggage]\nkids := $* child $*\n")
    save_version(store, project.id, rules_text=kids, logic_text="", author="Ann", expected_number=1)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_text("Your unsaved edits of rules v1 were restored.").first.wait_for()
    page.get_by_text("Ann saved rules v2").wait_for()
    picture(page, "conflict")
    page.locator("button:not([disabled])", has_text="Save both as rules v3").click()
    page.get_by_text("Saved as rules v3.").wait_for()
    newest = latest_version(store, project.id)
    assert newest.rules_text == kids.replace("[flight]\n", "[flight]\nfunny := joke\n")
    assert newest.logic_text == 'default = "baggage"\n'
    page.reload()
    page.locator(".row.rule", has_text="kids").wait_for()
    assert not page.get_by_text("were restored").count()


def test_the_automaton_follows_the_caret_and_the_words_that_are_typed(page: sync_api.Page) -> None:
    """The rule at the caret is drawn from the draft, with the texts that it matches stepped through it."""
    put_caret_behind(page, "lost := $*")
    page.keyboard.press("ArrowRight")
    drawing = page.locator(".automaton")
    drawing.locator(".name", has_text="lost").wait_for()
    before = drawing.locator("[data-arc].words").all_text_contents()
    page.keyboard.type("( suitcase | ")
    put_caret_behind(page, "( suitcase | lost")
    page.keyboard.type(" )")
    drawing.locator(".words", has_text="suitcase").wait_for()
    assert len(drawing.locator("[data-arc].words").all_text_contents()) >= len(before)
    word = drawing.locator(".text button.named").first
    word.hover()
    drawing.locator(".arc.lit").first.wait_for()
    assert word.inner_text() in (drawing.locator(".words.lit").text_content() or "")
    picture(page, "rule-automaton")
    page.locator("label", has_text="Automaton").click()
    drawing.wait_for(state="detached")
    page.locator("label", has_text="Automaton").click()
    drawing.locator(".name", has_text="lost").wait_for()


def test_from_missed_texts_to_an_accepted_proposal_in_two_keys(page: sync_api.Page, store: Store) -> None:
    """P proposes, 1 accepts; the same letters in the editor are text."""
    sample = open_sample(store, "flight_intents", "analyst")
    page.goto(f"{page.url.split('/rules')[0]}/rules?project={sample.id}")
    page.get_by_text("Missed 105").click()
    page.get_by_role("radio", name="Missed 105", checked=True).wait_for()
    page.keyboard.press("p")
    page.get_by_role("button", name="Accept").first.wait_for()
    page.keyboard.press("1")
    area = page.locator("textarea[aria-label=Rules]")
    page.get_by_text("Missed 97").wait_for()
    assert "yet := $* ( yet |" in area.input_value()
    page.keyboard.press("Control+z")
    page.get_by_text("Missed 105").wait_for()
    assert "yet := $* ( yet |" not in area.input_value()
    put_caret_behind(page, "// Requests of ")
    page.keyboard.type("p1")
    page.locator(".line", has_text="Requests of p1").wait_for()
    assert area.input_value().count("\narrivals :=") == 0
