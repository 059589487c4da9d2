"""The contents of the guide: topics in reading order, and the sections of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from re2nn_core.errors import InputError

# Group -> names of its topics. The name of a topic is its file under `topics`, and what `re2nn help` takes.
GROUPS: dict[str, tuple[str, ...]] = {
    "Tutorials": ("tutorial-labels", "tutorial-slots"),
    "Pages": ("pages",),
    "How to": (
        "import-and-export",
        "propose-rules",
        "label-logic",
        "word-classes",
        "sentence-tests",
        "review-changes",
        "export-models",
        "serve",
        "team",
        "sign-in",
        "postgresql",
        "backup",
        "gpu",
        "troubleshooting",
    ),
    "Reference": ("rule-language", "file-formats", "settings", "command-line", "python"),
    "Explanation": ("how-it-works", "training", "reconstruction", "differences", "explanations", "figures", "papers"),
    "More": ("glossary", "comparison", "questions", "changes"),
}

_HEADING = re.compile(r"^(#{1,3}) +(.+?)\s*$")


@dataclass(frozen=True)
class Section:
    """One heading of a topic with the text below it, up to the next heading.

    `anchor` is what a link names: topic#anchor.
    """

    topic: str
    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Topic:
    """One page of the guide. `text` is its Markdown, `sections` the same cut at its headings."""

    name: str
    title: str
    group: str
    text: str
    sections: tuple[Section, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """All topics in reading order."""
    return tuple(_read(name, group) for group, names in GROUPS.items() for name in names)


def find_topic(name: str) -> Topic:
    """The topic of that name; InputError with the nearest names where there is none."""
    by_name = {topic.name: topic for topic in topics()}
    if name in by_name:
        return by_name[name]
    near = get_close_matches(name, by_name, n=3, cutoff=0.5)
    advice = f"Nearest: {', '.join(near)}. " if near else ""
    raise InputError(f"There is no help topic {name!r}. {advice}`re2nn help` lists all topics.")


def find_section(link: str) -> Section:
    """The section that topic#anchor names, or the first one of a topic; InputError where there is none."""
    name, _, anchor = link.partition("#")
    topic = find_topic(name)
    for section in topic.sections:
        if not anchor or section.anchor == anchor:
            return section
    raise InputError(f"The topic {name!r} has no section {anchor!r}. It has: {', '.join(_anchors(topic))}.")


def _anchors(topic: Topic) -> list[str]:
    return [section.anchor for section in topic.sections]


def anchor_of(title: str) -> str:
    """A heading as the part of a link behind #: lower case, words joined by hyphens, as GitHub writes it."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip())


# Files name a topic by its file, so that the link works where the files themselves are read.
_TO_FILE = re.compile(r"(?<=\]\()([\w-]+)\.md(?=[#)])")


def _read(name: str, group: str) -> Topic:
    text = _TO_FILE.sub(r"\1", (files(__package__) / "topics" / f"{name}.md").read_text(encoding="utf-8"))
    sections = _sections(name, text)
    return Topic(name=name, title=sections[0].title, group=group, text=text, sections=sections)


def _sections(name: str, text: str) -> tuple[Section, ...]:
    found: list[tuple[str, list[str]]] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        heading = None if in_code else _HEADING.match(line)
        if heading is not None:
            found.append((heading.group(2), []))
        else:
            found[-1][1].append(line)
    return tuple(
        Section(topic=name, anchor=anchor_of(title), title=title, text="\n".join(lines).strip())
        for title, lines in found
    )
