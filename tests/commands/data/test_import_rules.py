"""`re2nn import --rules`: a project that begins with rules of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call

from re2nn_core.store import latest_version, list_projects, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

TEXTS = {
    "labels": "text,label,split\nbook a flight,travel,train\nhow much,money,test\n",
    "slots": '{"text": "fly to oslo,", "spans": [[7, 11, "city"]], "split": "train"}\n',
}
RULES = {
    "labels": "[travel]\ngo := $* flight $*\n[money]\nmuch := $* how much $*\n",
    "slots": "to := $* to [ $ ]<city> $*\n",
}
LOGIC = 'default = "travel"\npriorities = ["money > travel"]\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for task in TEXTS:
        (tmp_path / f"{task}.texts").write_text(TEXTS[task], encoding="utf-8")
        (tmp_path / f"{task}.rules").write_text(RULES[task], encoding="utf-8")
    (tmp_path / "logic.toml").write_text(LOGIC, encoding="utf-8")
    return tmp_path


def rules_in(home: Path) -> list[tuple[str, str, int]]:
    """Rules and logic of each project, and the number of their version."""
    store = open_store(home / DATABASE_NAME)
    try:
        versions = [latest_version(store, one.project.id) for one in list_projects(store)]
        return [(version.rules_text, version.logic_text, version.number) for version in versions]
    finally:
        store.close()


@pytest.mark.parametrize("task", list(TEXTS))
def test_a_project_begins_with_the_rules_that_were_given(re2nn: Call, files: Path, task: str) -> None:
    texts = files / f"{task}.{'csv' if task == 'labels' else 'jsonl'}"
    (files / f"{task}.texts").rename(texts)
    logic = ("--logic", files / "logic.toml") if task == "labels" else ()
    done = re2nn(
        *("import", texts, "--project", "P", "--rules", files / f"{task}.rules", *logic, "--home", files / "home")
    )
    assert done.code == 0, done.err
    assert f"{2 if task == 'labels' else 1} rule" in done.out
    assert "of --rules saved as rules v1." in done.out
    assert rules_in(files / "home") == [(RULES[task], LOGIC if logic else "", 1)]  # not v2, behind an empty v1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--rules", "bad.rules"), "bad.rules"),
        (("--logic", "logic.toml"), "--logic belongs to rules: write --rules FILE too"),
        (("--rules", "labels.rules", "--no-rules"), "--no-rules is for a project without rules. Leave out --no-rules"),
        (("--rules", "labels.rules", "--add"), "--rules is for a new project; --add changes no rules. Leave it out."),
        (("--rules", "labels.rules", "--logic", "logic.toml", "--add"), "--rules and --logic are for a new project;"),
    ],
)
def test_what_cannot_be_is_said_before_there_is_a_project(
    re2nn: Call, files: Path, more: tuple[str, ...], message: str
) -> None:
    (files / "labels.texts").rename(files / "labels.csv")
    (files / "bad.rules").write_text("[travel]\ngo := ( flight\n", encoding="utf-8")
    named = [str(files / one) if one.endswith((".rules", ".toml")) else one for one in more]
    done = re2nn("import", files / "labels.csv", "--project", "P", *named, "--home", files / "home")
    assert (done.code in (1, 2), message in done.err + done.out) == (True, True), done.err + done.out
    assert not (files / "home" / DATABASE_NAME).exists() or rules_in(files / "home") == []
