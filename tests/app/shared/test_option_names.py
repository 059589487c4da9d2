"""No option of the command line on a page, where nobody can give one, and no control that no page has."""

from __future__ import annotations

import re

import pytest
from architecture.plain_strings import seen_texts
from support.app.app_studio import ROOT

from pages._shared.drawing.option_names import in_page_words

_OPTION = re.compile(r"--[a-z][a-z-]+")
# Messages of commands alone: pages have others, or no such choice.
_COMMANDS_ALONE = (
    "write --encoding {}",
    "name its encoding with --encoding",
    "Or have them left out",
    "Leave --slot-blanks out",
    "or --encoding utf-8",
    "without --add",
    "--offsets is for spans",
)
# Parts of texts and names of formats.
EXAMPLES = {"Place Name", "to Rome, please", "Rome's", "Rome-based", "5kg", "# text =", "CoNLL 2002"}
# A setting and its value, as the page of trainings writes them.
EXAMPLES |= {"Combine members by: weights"}


def test_every_option_in_a_message_about_files_is_a_control_on_the_page() -> None:
    texts = [
        seen.text
        for seen in seen_texts(ROOT)
        if seen.path.startswith("re2nn_core/exchange/") and not seen.is_docstring and _OPTION.search(seen.text)
    ]
    assert len(texts) > 10
    left = [in_page_words(text) for text in texts if not any(part in text for part in _COMMANDS_ALONE)]
    assert [text for text in left if _OPTION.search(text)] == []


def unknown_controls(texts: list[str], pages: str) -> list[str]:
    """The names between “ ” that pages hold nowhere else."""
    found = {name for text in texts for name in re.findall(r"“([^”{}]+)”", text)}
    return sorted(name for name in found - EXAMPLES if name not in pages.replace(f"“{name}”", ""))


def test_every_control_that_a_message_names_is_on_a_page() -> None:
    messages = (seen for seen in seen_texts(ROOT) if seen.path.endswith(".py") and not seen.is_docstring)
    texts = [seen.text for seen in messages]
    pages = "".join(file.read_text("utf-8") for file in (ROOT / "pages").rglob("*") if file.suffix in (".py", ".js"))
    assert unknown_controls(texts, pages) == []
    assert unknown_controls(["Name others under “Share out to”."], pages) == ["Share out to"]


@pytest.mark.parametrize(
    ("message", "on_page"),
    [
        (
            "If the first line names them, say so (--header).",
            "If the first line names them, say so (“First row contains column names”).",
        ),
        (
            "To read the column as texts, write --text-column note.",
            "To read the column as texts, write note under “Texts”.",
        ),
        (
            "name one of the controls a, b with --label-column",
            "name one of the controls a, b under “Labels”",
        ),
        (
            "To read each line as a text all the same, choose the format txt (--format txt).",
            "To read each line as a text all the same, paste the lines in place of the file.",
        ),
        (
            "path, such as --label-column tags.0 for the first",
            "path, as tags.0 under “Labels” for the first",
        ),
        (
            "if they count characters from 1: choose with --offsets characters-from-1, or give",
            "if they count characters from 1: choose under “Offsets” characters from 1, or give",
        ),
        (
            "may count words: say what they count with --offsets words, words-inclusive or characters",
            "may count words: choose under “Offsets” words, words with the last one included or characters",
        ),
        (
            "choose with --offsets words-inclusive or words, or give",
            "choose under “Offsets” words with the last one included or words, or give",
        ),
    ],
)
def test_options_become_controls(message: str, on_page: str) -> None:
    assert in_page_words(message) == on_page
