"""help: the guide on the terminal, by topic or by the words that it holds."""

from __future__ import annotations

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.options import json_option
from re2nn_core.guide.contents import Section, Topic, find_section, find_topic, topics
from re2nn_core.guide.search import search_guide


@click.command("help")
@click.argument("words", nargs=-1, metavar="[TOPIC | WORDS ...]")
@json_option
def help_command(words: tuple[str, ...]) -> CommandResult:
    """Show the guide: all topics, one topic, or the sections that hold some words.

    \b
    Example: re2nn help
             re2nn help label-logic
             re2nn help glossary#confidence
             re2nn help retention of backups
    """
    if not words:
        return _contents()
    asked = "-".join(words)
    if any(topic.name == asked for topic in topics()):
        return _topic(find_topic(asked))
    if len(words) == 1 and "#" in asked:
        return _section(find_section(asked))
    found = search_guide(" ".join(words))
    if not found:
        # Says which topics have names like it.
        find_topic(asked)
    return _found(" ".join(words), found)


def _contents() -> CommandResult:
    parts = []
    for group in dict.fromkeys(topic.group for topic in topics()):
        rows = [f"  {topic.name:20}{topic.title}" for topic in topics() if topic.group == group]
        parts.append("\n".join([group, *rows]))
    text = "\n\n".join([*parts, "Show one with `re2nn help TOPIC`, or search with `re2nn help WORDS`."])
    data = [{"name": topic.name, "title": topic.title, "group": topic.group} for topic in topics()]
    return CommandResult({"topics": data}, text)


def _topic(topic: Topic) -> CommandResult:
    return CommandResult({"name": topic.name, "title": topic.title, "text": topic.text}, topic.text.rstrip())


def _section(section: Section) -> CommandResult:
    return CommandResult(
        {"name": section.topic, "anchor": section.anchor, "title": section.title, "text": section.text},
        f"{section.title}\n\n{section.text}",
    )


def _found(query: str, found: tuple[Section, ...]) -> CommandResult:
    rows = [(f"{section.topic}#{section.anchor}", section.title) for section in found]
    text = f"Sections about {query!r}:\n\n{table(('topic', 'title'), rows)}\n\nShow one with `re2nn help TOPIC`."
    data = [{"link": link, "title": title} for link, title in rows]
    return CommandResult({"query": query, "sections": data}, text)
