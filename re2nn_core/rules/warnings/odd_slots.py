"""Captures and tags that are read, but say something else than their writer means: what is odd, and what to write."""

from __future__ import annotations

import re

from re2nn_core.rules.tree import Empty, Node, Repeat, SentenceEnd, SentenceStart, children

Odd = tuple[str, str]  # what is odd, and what to write instead
_NO_SLOTS = ("O", "OO")
_PREFIX = re.compile(r"[A-Z]-.")
_BARE = ("B", "I", "B-", "I-")


def odd_capture(inner: Node, slot: str) -> Odd | None:
    """What is odd about `[ inner ]<slot>`; None for most."""
    if slot[:2] in ("B-", "I-") and len(slot) > 2:
        message = f"the slot's name begins with '{slot[:2]}', so its words are tagged B-{slot} and I-{slot}"
        return message, f"Write ]<{slot[2:]}>: a capture adds B- and I- by itself."
    if slot in _NO_SLOTS:
        return _named_like_a_tag(slot), "Write the slot's name, as in ]<city>; for words of no slot write oslo<:>O."
    if slot in _BARE:
        return _named_like_a_tag(slot), "Write the slot's name, as in ]<city>: a capture adds B- and I- by itself."
    if not _reads_words(inner):
        advice = "Write the words to capture between [ and ], and BOS before the [ or EOS behind the ]."
        return "the capture contains no word, so it never makes a span", advice
    return None


def odd_tag(tag: str) -> Odd | None:
    """What is odd about `word<:>tag`; None for most."""
    if _PREFIX.match(tag) and tag[0] not in "BI":
        slot = tag[2:]
        return _named_like_a_tag(tag), f"A tag begins with B- or I-: write <:>B-{slot} or <:>I-{slot}, or <:>{slot}."
    if tag not in _BARE:
        return None
    return _named_like_a_tag(tag), f"Write the slot behind it, as in oslo<:>{tag[0]}-city."


def _named_like_a_tag(name: str) -> str:
    return f"'{name}' is read as the name of a slot, so its words are tagged B-{name} and I-{name}"


def _reads_words(node: Node) -> bool:
    if isinstance(node, Repeat) and node.most == 0:
        return True  # warned of where it stands
    parts = children(node)
    return any(map(_reads_words, parts)) if parts else not isinstance(node, SentenceStart | SentenceEnd | Empty)
