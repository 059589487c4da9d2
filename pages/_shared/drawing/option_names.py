"""Messages about files name options of the command line; on a page each is a control, or the ending of a file name."""

from __future__ import annotations

import re

_TEXTS, _PREDICTIONS = "“Texts”", "“Labels”"
# Looked for in this order: a sentence around an option before the option alone.
_ON_A_PAGE = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"Import again with --label-column NAME", "Name one under “Labels”"),
        (r"choose the format txt \(--format txt\)", "paste the lines in place of the file"),
        (r"choose the format (\w+) \(--format \w+\)", r"give the file the ending .\1"),
        (r"[Uu]se --format (\w+)", r"Give the file the ending .\1"),
        (r" \(--format (\w+)\)", r": give the file the ending .\1"),
        (r"Name one with --format", "Give the file the ending of one"),
        (r", or join them with --text-column (\S+?)(?=[).;,]?(\s|$))", r", or join them as \1"),
        (r"write --text-column (\S+?)(?=[.;,]?(\s|$))", rf"write \1 under {_TEXTS}"),
        (r"write --label-column (\S+?)(?=[.;,]?(\s|$))", rf"write \1 under {_PREDICTIONS}"),
        (r"(?:with|such as) --text-column (\S+?)(?=[.;,]?(\s|$))", rf"as \1 under {_TEXTS}"),
        (r"(?:with|such as) --label-column (\S+?)(?=[.;,]?(\s|$))", rf"as \1 under {_PREDICTIONS}"),
        (r"with --text-column", f"under {_TEXTS}"),
        (r"with --label-column", f"under {_PREDICTIONS}"),
        (r"--text-column", _TEXTS),
        (r"--label-column", _PREDICTIONS),
        (r"\(--again adds them too\)", "(the box “Also add texts that the project already has” adds them too)"),
        (r"--strip-html", "“Remove HTML from texts”"),
        (r"write --offsets utf-16, else --offsets characters", "choose UTF-16 units under “Offsets”, else characters"),
        (r"write --offsets (\w+)", r"choose \1 under “Offsets”"),
        (r"say what they count with --offsets", "choose under “Offsets”"),
        (r"choose with --offsets", "choose under “Offsets”"),
        (r"\b(characters|words)-from-1-inclusive", r"\1 from 1 with the last one included"),
        (r"\b(characters|words)-from-1\b", r"\1 from 1"),
        (r"\b(characters|words)-inclusive", r"\1 with the last one included"),
        (r"leave --offsets out", "choose others under “Offsets”"),
        (r"--header", "“First row contains column names”"),
        (r"--task slots", "“Slots: words in the texts”"),
        (r"--task classification", "“A label for each text”"),
        (r"--tokenizer word-parts", "the tokenization “Parts of words”"),
        (r"--tokenizer characters", "the tokenization “Chinese characters”"),
        (r"--tokenizer whitespace", "the tokenization “Whitespace only”"),
        (r"--tokenizer", "the tokenization"),
        (r"--slot-blanks", "“Blanks for _ in names of slots”"),
        (r"write --encoding [\w-]+(?: \(or [\w-]+\))?|write another --encoding", "choose its encoding"),
    )
)


def in_page_words(text: str) -> str:
    """The message with controls in place of options."""
    for pattern, instead in _ON_A_PAGE:
        text = pattern.sub(instead, text)
    return text
