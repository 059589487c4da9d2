"""Write rules: proposals are shown with what they fix and break, and are accepted into the editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.app.app_studio import Studio

from pages._rules import analysis
from re2nn_core.services.rule_writing.draft import focus
from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.text.corpus import Corpus, Example

TEXTS = (
    *((f"how much is {city}", "fare") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"the seat price to {city}", "seat") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"good {what}", "other") for what in ("morning", "evening", "bye", "one", "idea")),
)


RULES = "[fare]\n$* price $*\n\n[seat]\n$* seat $*\n"


def _project(store: Store, rules: str = RULES, texts: Sequence[tuple[str, str | None]] = TEXTS) -> ProjectRecord:
    return create_project(
        store,
        name="Fares",
        examples=Corpus(tuple(Example(text, label) for text, label in texts)),
        rules_text=rules,
        logic_text="",
        author="tester",
    )


UNLABELLED = tuple(
    (f"{head} {city} {tail}", None)
    for head, tail, cities in (
        ("lost luggage at", "airport belt", ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "lima", "cork")),
        ("refund my ticket to", "cancelled trip", ("graz", "linz", "ulm", "metz", "pisa", "nice", "faro", "brno")),
    )
    for city in cities
)


def _proposals(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.button(key="rules_propose").click().run()
    studio.checked()


def test_a_rule_a_priority_and_a_default_label_are_accepted(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    for shown in (
        "much := $* much $*",
        "6 of 6 matches correct",
        "Priority:",
        "Default label:",
        "labelled texts that no rule matches",
    ):
        assert shown in studio.html
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "much := $* much $*" in draft.rules_text
    assert studio.component(f"_rule_automaton_{project.id}")["title"] == "much", "what was accepted is what is drawn"
    assert "much :=" not in studio.html, "what is accepted is not proposed any more"
    studio.test.button(key="rules_accept_1").click().run()  # before the rule for "other", which fixes fewer
    studio.checked()
    assert "seat > fare" in studio.test.session_state[f"_draft_{project.id}"].logic_text


def test_the_default_label_comes_where_its_gain_puts_it(studio: Studio, store: Store) -> None:
    """The default label came last, without a key, whatever it gains."""
    texts = (*((f"how much is {city}", "fare") for city in ("rome", "oslo", "bonn")), *TEXTS[6:])
    texts += tuple(
        (f"{word} {number}", "other") for number, word in enumerate(("tea", "cup", "sun", "sea", "fog", "ash"))
    )
    project = _project(store, "[fare]\n$* much $*\n\n[seat]\n$* seat $*\n", texts)
    _proposals(studio, project)
    assert "▲ 11" in studio.html
    assert "11 labelled texts that no rule matches" in studio.html
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    assert studio.test.session_state[f"_draft_{project.id}"].logic_text == 'default = "other"\n'


def test_label_logic_has_a_default_label_and_priorities_to_accept_with_their_effect(
    studio: Studio, store: Store
) -> None:
    """In its own tab, and only while that is open."""
    project = _project(store)
    studio.open("rules", project=project.id)
    logic, tab = f"_logic_editor_{project.id}_plain_0", f"_logic_editor_{project.id}_tab"
    assert 'priorities = ["fare > seat"]' in studio.test.text_area(key=logic).placeholder
    assert not [button for button in studio.test.button if button.key == "rules_logic_default"]
    studio.test.session_state[tab] = "Label logic"
    studio.test.run()
    assert studio.test.button(key="rules_logic_resolve").label == "Resolve 6 conflicts"
    assert '<b class="re2-up">▲ 6</b> <b class="re2-down">▼ 0</b> texts by seat &gt; fare' in studio.html
    assert studio.test.button(key="rules_logic_default").label == "Default label fare"
    assert "of 11 labelled texts that no rule matches" in studio.html
    studio.test.button(key="rules_logic_resolve").click().run()
    studio.test.button(key="rules_logic_default").click().run()
    studio.checked()
    written = studio.test.session_state[f"_draft_{project.id}"].logic_text
    assert 'default = "fare"' in written
    assert '"seat > fare"' in written
    assert not [button for button in studio.test.button if str(button.key).startswith("rules_logic")]


def test_an_edit_with_an_error_asks_for_it_to_be_mended(studio: Studio, store: Store) -> None:
    project = _project(store)
    _proposals(studio, project)
    draft = studio.test.session_state[f"_draft_{project.id}"]
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}")
    area.input(area.value.replace("$* price $*", "$* ( price $*")).run()
    studio.checked()
    assert "Rules are proposed once these have no errors." in studio.html


def test_where_no_phrase_holds_the_page_says_what_to_do(studio: Studio, project: ProjectRecord) -> None:
    _proposals(studio, project)
    assert "Nothing to propose." in studio.html
    assert "Label more texts" in studio.html


def test_where_one_rule_is_looked_at_the_way_to_all_proposals_is_said(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    draft = studio.test.session_state[f"_draft_{project.id}"]
    studio.test.session_state[f"_draft_{project.id}"] = focus(draft, rule="lost")
    studio.test.run()
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "All shows what is proposed for all rules." in studio.html


def test_behind_incorrect_matches_the_page_says_where_no_condition_is_proposed(studio: Studio, store: Store) -> None:
    studio.open("rules", project=_project(store, "[fare]\n$* much $*\n").id)
    studio.test.segmented_control[0].set_value("wrong").run()
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "No condition excludes incorrect matches" in studio.html
    assert "seat := $* seat $*" in studio.html


def test_a_condition_excludes_incorrect_predictions_and_comes_first_behind_them(studio: Studio, store: Store) -> None:
    project = _project(store, "[fare]\nmany := $* ( price | much ) $*\n\n[seat]\n$* nothing $*\n")
    studio.open("rules", project=project.id)
    studio.test.segmented_control[0].set_value("wrong").run()
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "many … but not ( $* seat $* )" in studio.html
    assert "no prediction in place of 6 incorrect ones" in studio.html
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "many := $* ( price | much ) $* but not ( $* seat $* )" in draft.rules_text


def test_rules_are_proposed_for_selected_texts(studio: Studio, store: Store) -> None:
    project = _project(store, texts=(*TEXTS, *UNLABELLED))
    studio.open("rules", project=project.id)
    studio.test.segmented_control[0].set_value("missed").run()
    studio.test.button(key="rules_select").click().run()
    studio.test.checkbox(key="rules_select_12").check().run()  # good morning
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "good := $* good $*" in studio.html
    assert "much :=" not in studio.html, "no selected text has it"
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    assert studio.test.session_state[f"_draft_{project.id}"].selected is None


def test_rules_are_proposed_with_a_word_of_the_selected_texts(studio: Studio, store: Store) -> None:
    studio.open("rules", project=_project(store).id)
    studio.test.segmented_control[0].set_value("missed").run()
    studio.test.button(key="rules_select").click().run()
    studio.test.checkbox(key="rules_select_0").check().run()  # how much is rome
    studio.test.button(key="rules_propose").click().run()
    studio.checked()
    assert "<b>1 selected text</b>" in studio.html
    assert "much := $* much $*" in studio.html
    studio.test.pills(key="rules_words").select("is").run()
    studio.checked()
    assert "much is" in studio.html
    assert "much := $* much $*" not in studio.html, "it has not the word"
    studio.test.pills(key="rules_words").set_value(["rome"]).run()
    studio.checked()
    assert "Nothing with &#x27;rome&#x27; fixes texts" in studio.html


def test_texts_without_any_label_are_proposed_for_in_groups(studio: Studio, store: Store) -> None:
    project = _project(store, "[other]\n$* yourword $*\n", UNLABELLED)
    _proposals(studio, project)
    assert studio.html.count("New label") == 2
    assert "matches 8 texts without a label · " in studio.html.replace("</span>", "").replace(
        '<span style="white-space:nowrap">', ""
    )
    studio.test.button(key="rules_accept_1").click().run()
    studio.checked()
    assert studio.test.session_state[f"_draft_{project.id}"].rules_text.count("[") == 2


def test_rules_of_single_words_come_first_where_there_are_many_texts(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._rules.proposals.MANY", 2)
    asked: list[bool] = []
    whole = analysis.propose_changes

    def counted(*about: Any) -> Any:
        asked.append(about[-1].quick)
        return whole(*about)

    monkeypatch.setattr("pages._rules.analysis.propose_changes", counted)
    _proposals(studio, _project(store))
    assert asked == [True, False]
    assert "Looking for phrases" not in studio.html, "what was found took its place"
    studio.test.run()
    assert asked == [True, False], "what is known is shown at once"
