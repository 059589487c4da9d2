"""Write rules: words of like meaning are found on a click, counted, and added to classes."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.services.rule_writing.word_alternatives import alternatives_of_words
from re2nn_core.store import ProjectRecord, Store, latest_version


def write(studio: Studio, project: ProjectRecord, text: str) -> None:
    draft = studio.test.session_state[f"_draft_{project.id}"]
    studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}").input(text).run()
    studio.checked()


def test_like_words_are_found_and_a_class_gets_one_more(studio: Studio, store: Store, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    write(
        studio,
        project,
        "@price@=( flight )\n" + latest_version(store, project.id).rules_text + "\n[more]\n$* @~flight:0.6@\n",
    )
    studio.test.button(key="rules_like_find").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "@~flight:0.6@=( flight" in draft.rules_text
    assert "// vectors " in draft.rules_text
    studio.test.slider(key="rules_like_nearness_~flight:0.6").set_value(0.5).run()
    studio.test.button(key="rules_like_apply_~flight:0.6").click().run()
    studio.checked()
    assert "$* @~flight:0.5@\n" in studio.test.session_state[f"_draft_{project.id}"].rules_text
    studio.test.selectbox(key="rules_more_like").select("price").run()
    studio.checked()
    add = next(button for button in studio.test.button if (button.key or "").startswith("rules_more_like_price_"))
    assert add.label.startswith("Add ")
    add.click().run()
    studio.checked()
    assert (
        f"@price@=( flight | {add.key.rpartition('_')[2]} )"
        in studio.test.session_state[f"_draft_{project.id}"].rules_text
    )


def test_alternatives_of_a_rule_get_one_more_word_and_stay_chosen(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    studio.open("rules", project=project.id)
    write(studio, project, latest_version(store, project.id).rules_text + "\n[more]\nany := $* ( flight | a ) $*\n")
    group = alternatives_of_words(studio.test.session_state[f"_draft_{project.id}"].rules_text)[-1]
    choice = studio.test.selectbox(key="rules_more_like")
    assert "any: ( flight | a … )" in choice.options
    choice.select(group).run()
    added = []
    for _ in range(2):
        add = next(one for one in studio.test.button if (one.key or "").startswith("rules_more_like_any_"))
        add.click().run()
        studio.checked()
        added.append((add.key or "").rpartition("_")[2])
    rules_text = studio.test.session_state[f"_draft_{project.id}"].rules_text
    assert f"any := $* ( flight | a | {added[0]} | {added[1]} ) $*" in rules_text
    assert added[0] != added[1]
