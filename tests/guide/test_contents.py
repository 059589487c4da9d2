"""The guide holds what its contents name, its links lead somewhere, and the commands in it exist."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from pages._shared.catalog import ENTRIES
from re2nn_core.cli import COMMANDS, main
from re2nn_core.errors import InputError
from re2nn_core.guide.contents import anchor_of, find_section, find_topic, topics
from re2nn_core.text.tokenization import Tokenization, TokenizerKind, words

TOPICS = {topic.name: topic for topic in topics()}
FOLDER = Path(__file__).resolve().parents[2] / "re2nn_core" / "guide" / "topics"
LINK = re.compile(r"\[[^\]]+\]\(([^)]+)\)")
COMMAND = re.compile(r"^(?:\w+=\S+ )?re2nn ((?:[a-z-]+ ?)+)(.*)$", re.MULTILINE)


def test_every_file_is_a_topic_and_every_topic_a_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(TOPICS)


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_begins_with_its_only_title(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", TOPICS[name].text, flags=re.DOTALL | re.MULTILINE)
    assert [line for line in text.splitlines() if line.startswith("# ")] == [f"# {TOPICS[name].title}"]
    anchors = [section.anchor for section in TOPICS[name].sections]
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("name", TOPICS)
def test_links_of_the_files_lead_to_files(name: str) -> None:
    """As a site shows them that holds the repository; the application and the command line take the names alone."""
    links = [link.partition("#")[0] for link in LINK.findall((FOLDER / f"{name}.md").read_text(encoding="utf-8"))]
    assert [link for link in links if not (FOLDER / link).is_file()] == []
    assert not any(link.partition("#")[0].endswith(".md") for link in LINK.findall(TOPICS[name].text))


@pytest.mark.parametrize("name", TOPICS)
def test_links_lead_to_topics_and_sections(name: str) -> None:
    for link in LINK.findall(TOPICS[name].text):
        assert find_section(link).topic == link.partition("#")[0]


def test_every_page_has_a_section() -> None:
    anchors = {section.anchor for section in TOPICS["pages"].sections}
    assert {anchor_of(entry.title) for entry in ENTRIES} <= anchors


def _examples() -> list[tuple[str, str]]:
    blocks = [
        (name, block)
        for name, topic in TOPICS.items()
        if name != "command-line"
        for block in re.findall(r"^```\n(.*?)^```$", topic.text, flags=re.DOTALL | re.MULTILINE)
    ]
    return [(name, line) for name, block in blocks for line in block.splitlines() if "re2nn " in line[:60]]


@pytest.mark.parametrize(("topic", "line"), _examples())
def test_commands_and_options_in_examples_exist(topic: str, line: str) -> None:
    found = COMMAND.match(line)
    if found is None:
        assert line.startswith("pip install"), f"{topic}: {line}"
        return
    words = line[line.index("re2nn ") + 6 :].split()
    command: click.Command | None = main
    while isinstance(command, click.Group) and words:
        command = command.get_command(click.Context(command), words.pop(0))
    assert command is not None or line.strip() == "re2nn help", f"{topic}: {line}"
    known = (
        {option for parameter in command.params for option in parameter.opts} | {"--json", "--home"}
        if command
        else set()
    )
    assert [word for word in words if word.startswith("--") and word not in known] == [], f"{topic}: {line}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_reference(command: str) -> None:
    assert f"## re2nn {command}\n" in TOPICS["command-line"].text


def test_an_unknown_topic_names_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        find_topic("label-logik")
    assert str(caught.value) == (
        "There is no help topic 'label-logik'. Nearest: label-logic. `re2nn help` lists all topics."
    )


def test_an_unknown_section_names_those_that_exist() -> None:
    with pytest.raises(InputError) as caught:
        find_section("backup#retention")
    assert str(caught.value) == "The topic 'backup' has no section 'retention'. It has: back-up-and-restore."


def test_a_hash_in_a_code_block_is_no_heading() -> None:
    assert all(section.title != "for a text that no rule accepts" for section in TOPICS["label-logic"].sections)
    assert anchor_of("Accept, restore, undo") == "accept-restore-undo"


@pytest.mark.parametrize("kind", ["whitespace", "punctuation", "word-parts"])
def test_the_tokens_of_the_reference_are_those_of_the_tokenizer(kind: TokenizerKind) -> None:
    text = TOPICS["rule-language"].text
    example = re.search(r'\| tokenizer \| "(.*?)" \|', text)
    tokens = re.search(rf"\| `{kind}` \| (.*?) \|", text)
    assert example is not None
    assert tokens is not None
    assert tuple(tokens.group(1).split(" · ")) == words(example.group(1), Tokenization(kind, lowercase=False))
