"""Saving rules: stopped by a sentence that fails, let through with a reason, and the way back to an old version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.app.app_studio import LOGIC, RULES, small_project

from re2nn_core.errors import ConflictError, InputError, RuleError, SentencesError
from re2nn_core.services.projects.archives import export_project, pack, unpack
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.rule_writing import rule_saving
from re2nn_core.services.rule_writing.rule_saving import return_to, save_rules
from re2nn_core.store import (
    ProjectRecord,
    RuleVersion,
    Store,
    latest_version,
    list_versions,
    open_store,
    read_backup,
    verify_store,
    write_backup,
)

SENTENCES = '[lost]\nmust = [\n    "it is lost",\n]\nmust_not = [\n    "found",\n]\n'
STOPPED = RULES.replace("lost := $* lost $*", "lost := $* found $*")


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    made = small_project(store)
    save(store, made, RULES, sentences=SENTENCES)
    return made


def save(store: Store, project: ProjectRecord, rules: str, *, sentences: str | None = None, **more: str) -> RuleVersion:
    return save_rules(
        store,
        project,
        rules_text=rules,
        logic_text=LOGIC,
        author="Ann",
        expected_number=None,
        sentences_text=sentences,
        **more,
    )


def test_a_sentence_that_fails_stops_the_save(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(SentencesError) as raised:
        save(store, project, STOPPED)
    assert raised.value.failures == (
        "Rule 'lost' must match “it is lost”, but refuses it; the nearest that it matches is “it is lost found”.",
        "Rule 'lost' must not match “found”, but matches it, by 'found'.",
    )
    assert latest_version(store, project.id).number == 2


def test_with_a_reason_it_is_saved_and_the_reason_is_kept(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(SentencesError):
        save(store, project, STOPPED, although="  ")
    saved = save(store, project, STOPPED, message="turned round", although=" the sentences are old ")
    assert saved.message == "turned round. Saved although 2 sentences fail: the sentences are old"
    assert saved.sentences_text == SENTENCES
    assert save(store, project, RULES, message="back", although="no need").message == "back"


def test_rules_that_cannot_be_read_are_not_saved_over_sentences(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(RuleError):
        save(store, project, "[a]\n( b\n")


def test_only_whom_the_roles_allow_saves(store: Store, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Store, person: str, role: str, doing: str) -> None:
        raise ConflictError(f"{person} {role} {doing}")

    monkeypatch.setattr(rule_saving, "require_role", refuse)
    with pytest.raises(ConflictError, match="Ann reviewer save rules"):
        save(store, project, RULES)
    with pytest.raises(ConflictError, match="Ann reviewer save rules"):
        return_to(store, project, 1, author="Ann", expected_number=2)


def test_the_way_back_is_a_version_that_can_be_left_again(store: Store, project: ProjectRecord) -> None:
    save(store, project, STOPPED, although="a try")
    back = return_to(store, project, 2, author="Bob", expected_number=3)
    assert (back.number, back.message, back.author) == (4, "Restored rules v2", "Bob")
    assert (back.rules_text, back.logic_text, back.sentences_text) == (RULES, LOGIC, SENTENCES)
    again = return_to(store, project, 3, author="Bob", expected_number=4)
    assert again.rules_text == STOPPED
    assert len(list_versions(store, project.id)) == 5
    with pytest.raises(ConflictError, match="Bob saved rules v5"):
        return_to(store, project, 1, author="Ann", expected_number=4)
    assert verify_store(store) == ()


def test_sentences_go_with_archives_and_backups(store: Store, project: ProjectRecord, tmp_path: Path) -> None:
    archive = export_project(store, project.id)
    assert unpack(archive)["sentences.toml"].decode() == SENTENCES
    with open_store(tmp_path / "other" / "re2nn.sqlite3") as other:
        made = import_archive(other, archive, "Cleo")
        assert [v.sentences_text for v in list_versions(other, made.id)] == [SENTENCES, ""]
        assert verify_store(other) == ()
    write_backup(store, tmp_path / "backup.zip")
    with open_store(tmp_path / "third" / "re2nn.sqlite3") as third:
        read_backup(third, tmp_path / "backup.zip")
        assert latest_version(third, project.id).sentences_text == SENTENCES
        assert verify_store(third) == ()


def test_an_archive_from_before_there_were_sentences_opens(store: Store, project: ProjectRecord) -> None:
    files = unpack(export_project(store, project.id))
    lines = [json.loads(line) for line in files["history.jsonl"].splitlines()]
    for line in lines:
        line.get("data", {}).pop("sentences_text", None)
    del files["sentences.toml"]
    files["project.toml"] = b"\n".join(line for line in files["project.toml"].splitlines() if b"sentences" not in line)
    files["history.jsonl"] = "\n".join(map(json.dumps, lines)).encode()
    made = import_archive(store, pack(files), "Cleo")
    assert [v.sentences_text for v in list_versions(store, made.id)] == ["", ""]
    assert verify_store(store) == ()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sentences.toml", "'sentences.toml': rule 'a' must match “b” and must not."),
        ("history.jsonl", "'history.jsonl', event 4: must is not expected."),
    ],
)
def test_an_archive_with_sentences_that_cannot_be_read_is_refused(
    store: Store, project: ProjectRecord, name: str, message: str
) -> None:
    files = unpack(export_project(store, project.id))
    if name == "sentences.toml":
        files[name] = b'[a]\nmust = ["b"]\nmust_not = ["b"]\n'
    else:
        lines = [json.loads(line) for line in files[name].splitlines()]
        lines[-1]["data"]["sentences_text"] = 'must = ["x"]'
        files[name] = "\n".join(map(json.dumps, lines)).encode()
    with pytest.raises(InputError, match=message):
        import_archive(store, pack(files), "Cleo")
