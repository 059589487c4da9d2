"""Write rules: word lists are uploaded, counted, edited as text, and saved with the version."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.rules.word_lists.definition import as_shown
from re2nn_core.services.rule_writing.word_lists import ListName, StoredList, stored_lists
from re2nn_core.store import ProjectRecord, Store, latest_version


def test_a_list_is_uploaded_edited_and_saved(studio: Studio, store: Store, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.file_uploader(key="rules_list_file").upload("things.txt", b"suitcase\nblue bag\n", "text/plain").run()
    studio.checked()
    studio.test.button(key="rules_list_use").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert draft.editors.shown_rules.startswith('@things@ = file("things.txt")\n')
    assert "2 entries" in studio.html or ">2<" in studio.html
    assert "//=" not in studio.test.text_area(key=f"_rules_editor_{project.id}_plain_{draft.editors.revision}").value
    area = next(one for one in studio.test.text_area if one.key.startswith("rules_list_text_"))
    assert area.value == "suitcase\nblue bag"
    area.input("suitcase\nred bag\nticket").run()
    studio.test.button(key="rules_list_apply").click().run()
    studio.checked()
    studio.test.button(key="rules_save").click().run()
    studio.checked()
    saved = latest_version(store, project.id).rules_text
    assert stored_lists(saved) == (StoredList(ListName("things.txt"), ("suitcase", "red bag", "ticket")),)
    assert as_shown(saved).startswith('@things@ = file("things.txt")\n')


def test_a_bad_list_is_refused_with_its_lines(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    upload = studio.test.file_uploader(key="rules_list_file")
    upload.upload("things.csv", b"id,name\n1," + b"x" * 300, "text/csv").run()
    studio.checked()
    studio.test.selectbox(key="rules_list_column").select("name").run()
    studio.checked()
    assert "the entry has 300 characters" in " ".join(error.value for error in studio.test.error)
    assert not [button for button in studio.test.button if button.key == "rules_list_use"]


def test_a_pasted_row_of_alternatives_becomes_a_list(studio: Studio, project: ProjectRecord) -> None:
    words = [f"{first}{second}" for first in "abcdefghijklmnop" for second in "abcdefghijklmnop"]
    studio.open("rules", project=project.id)
    area = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_0")
    area.input(area.value + f"pasted := $* ( {' | '.join(words)} ) $*\n").run()
    studio.checked()
    assert "lists 256 words and phrases." in studio.html
    studio.test.button(key="rules_list_make").click().run()
    studio.checked()
    draft = studio.test.session_state[f"_draft_{project.id}"]
    assert draft.editors.shown_rules.startswith('@pasted@ = file("pasted.txt")\n')
    assert "pasted := $* @pasted@ $*" in draft.editors.shown_rules
    assert "words and phrases." not in studio.html
    assert stored_lists(draft.rules_text) == (StoredList(ListName("pasted.txt"), tuple(words)),)
