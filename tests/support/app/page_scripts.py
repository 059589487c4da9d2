"""Where the scripts of the pages make HTML out of what they are given: each place, and who escapes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from support.app.app_studio import ROOT

# What turns a text into HTML or into a program; text for people is set as text (textContent).
_MAKES_HTML = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|srcdoc|document\.write|\beval\(|"
    r"new Function|setAttribute\(\s*[\"'](?:on|href|src)|\.href\s*="
)
_CARDS = "pages/_compare/review/cards.py escapes it"
# By file and the line's end: what is set there, and who makes it.
CHECKED = {
    ("review.js", "card.chips;"): _CARDS,
    ("review.js", "card.summary;"): _CARDS,
    ("review.js", "card.note;"): _CARDS,
    ("review.js", "this.drawn = card.html;"): _CARDS,
    ("review.js", "this.told = card.evidence;"): _CARDS,
    ("review.js", "holder.innerHTML = this.template;"): "a file of the program",
    ("viewport.js", "link.href = `rules?${new URLSearchParams({ project, rule: name })}`;"): "an address below ours",
    ("automaton.js", "link.href = address;"): "pages/_automaton makes it, of addresses below ours",
}


@dataclass(frozen=True)
class HtmlPlace:
    """A line of a script that makes HTML, or sets an address; `check` is empty where nobody has said who escapes."""

    place: str
    line: str
    check: str


def html_places(source: str, file: str) -> list[HtmlPlace]:
    found = []
    for number, line in enumerate(source.split("\n"), start=1):
        if _MAKES_HTML.search(line):
            line = line.strip()
            check = next(
                (why for (name, end), why in CHECKED.items() if name == Path(file).name and line.endswith(end)), ""
            )
            found.append(HtmlPlace(f"{file}:{number}", line, check))
    return found


def every_html_place() -> list[HtmlPlace]:
    files = sorted((ROOT / "pages").rglob("*.js"))
    return [place for file in files for place in html_places(file.read_text("utf-8"), str(file.relative_to(ROOT)))]
