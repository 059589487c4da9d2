"""Write rules: files of rules and of logic are opened in the editors, and the editors' texts are downloaded."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord, Store, latest_version

RULES = "[flight]\nfly := $* fly $*\n"


@pytest.mark.parametrize(("name", "content", "part"), [("my.txt", RULES, 0), ("l.toml", 'default = "flight"\n', 1)])
def test_a_file_is_opened_in_the_editor(
    studio: Studio, store: Store, project: ProjectRecord, name: str, content: str, part: int
) -> None:
    studio.open("rules", project=project.id)
    before = studio.test.session_state[f"_draft_{project.id}"]
    version = latest_version(store, project.id).number
    studio.test.file_uploader(key="rules_open").upload(name, content.encode(), "text/plain").run()
    studio.test.button(key="rules_open_use").click().run()
    studio.checked()
    after = studio.test.session_state[f"_draft_{project.id}"]
    texts, others = (after.rules_text, after.logic_text), (before.rules_text, before.logic_text)
    assert texts[part] == content
    assert texts[1 - part] == others[1 - part]
    assert after.dirty
    assert latest_version(store, project.id).number == version


def test_a_file_of_other_bytes_is_refused(studio: Studio, project: ProjectRecord) -> None:
    studio.open("rules", project=project.id)
    studio.test.file_uploader(key="rules_open").upload("my.txt", "[a]\nb := é\n".encode("latin-1"), "text/plain").run()
    studio.checked()
    assert "my.txt" in " ".join(error.value for error in studio.test.error)
    assert not [button for button in studio.test.button if button.key == "rules_open_use"]
    labels = {one.proto.label for one in studio.test.get("download_button")}
    assert {"Download rules", "Download logic"} <= labels
