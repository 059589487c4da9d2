"""Everything that a person reads is in the words of the glossary; and this check can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from architecture.plain_strings import seen_texts
from architecture.plain_words import ALLOWED, ROOT, retired_words, unused_permissions

_COMMAND = '@click.command()\ndef show() -> None:\n    """Tell what is there."""\n'


def test_no_retired_phrase_is_shown() -> None:
    assert retired_words(ROOT) == []


def test_each_permission_has_a_reason_and_is_needed() -> None:
    assert [entry for entry in ALLOWED if len(entry[2]) < 10] == []
    assert unused_permissions(ROOT) == []
    assert len(ALLOWED) < 40


def test_strings_of_every_kind_are_read() -> None:
    kinds = {Path(seen.path).parts[0] + Path(seen.path).suffix for seen in seen_texts(ROOT)}
    assert kinds >= {"pages.py", "pages.js", "re2nn_core.py", "re2nn_core.md", "sample_projects.toml", "README.md.md"}


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("pages/show.py", 'TEXT = "The rules read back"\n', "1: [read back] The rules read back (write reconstruct"),
        (
            "pages/show.py",
            'n = 3\nTEXT = f"{n} texts a reader learned"\n',
            "2: [reader] {} texts a reader learned (write",
        ),
        ("pages/show.py", 'TEXT = "Answers"\n', "1: [Answers] Answers (write prediction"),
        (
            "pages/show.js",
            "// beside\nconst text = `marked ${n} spans`;\n",
            "2: [marked] marked {} spans (write span",
        ),
        ("re2nn_core/commands/show.py", _COMMAND, "3: [Tell] Tell what is there. (write show"),
        (
            "re2nn_core/x.py",
            'def read() -> None:\n    """What was read back."""\n',
            "2: [read back] What was read back.",
        ),
        ("re2nn_core/guide/topics/x.md", "# A\n\nMend `it`.\n", "3: [Mend] Mend . (write fix)"),
        ("sample_projects/a/rules.txt", "// a swindle\nx := a\n", "1: [swindle] // a swindle (write spam)"),
    ],
)
def test_a_planted_one_is_found(tmp_path: Path, path: str, text: str, message: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    (found,) = retired_words(tmp_path)
    assert found.startswith(f"{path}:{message}")


@pytest.mark.parametrize(
    "text",
    [
        'KEY = "answer"\n',  # a stored name
        '"""A module beside the others."""\n',
        'TEXT = "<mark class=\\"re2-mark\\">a span</mark>"\n',
        'TEXT = "Make sure that this machine has it, rather than that."\n',
        "def f() -> None:\n    # beside\n    pass\n",
    ],
)
def test_names_comments_and_plain_senses_are_not(tmp_path: Path, text: str) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "show.py").write_text(text, encoding="utf-8")
    assert retired_words(tmp_path) == []
