"""Write rules: a rule is renamed wherever it stands, and text is replaced."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord


def test_a_rule_is_renamed_and_text_replaced(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    which = studio.test.selectbox(key="rules_rename_which")
    old = which.options[0]
    which.select_index(0).run()
    studio.test.text_input(key="rules_rename_new").input("renamed").run()
    studio.test.button(key="rules_rename_do").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert "renamed := " in draft.rules_text
    assert f"{old} := " not in draft.rules_text
    studio.test.text_input(key="rules_find").input("renamed").run()
    studio.test.text_input(key="rules_replace").input("again").run()
    assert studio.test.button(key="rules_replace_do").label.startswith("Replace ")
    studio.test.button(key="rules_replace_do").click().run()
    studio.checked()
    assert "again := " in studio.test.session_state[f"_draft_{project.id}"].rules_text
