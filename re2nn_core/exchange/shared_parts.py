"""What nearly all texts begin or end with, as programs put it there, and labels that stand inside their own texts.

A rule or a network would learn the label from there, and shared signs are no part of what somebody wrote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import commonprefix

from re2nn_core.text.corpus import Example
from re2nn_core.text.joined_names import first_names

_FEWEST = 10  # texts
_MOST_LOOKED_AT = 20_000
_NEARLY_ALL, _NEARLY_ALL_BY_WORDS = 0.8, 0.95
_FEWEST_WORDS = 3  # that are shared though no sign is among them
_LONGEST = 300  # characters
_SHOWN = 60
_FEWEST_LABELS, _TEXTS_FOR_A_LABEL = 2, 5
_LABEL_WORDS = 4
# What no sentence has: brackets, a colon, a line break. Marks between words and at the end of a sentence are none.
_SIGN = re.compile(r"[^\w\s.,;!?'\"’“”()…-]|\n|--|[A-Z]{3,}")
# [billing] where is it, (billing) ..., #billing ..., billing: ..., billing - ..., billing -> ...
_BRACKETED = r"\[[^\[\]\n]{1,40}\]|\([^()\n]{1,40}\)|<[^<>\n]{1,40}>|\{[^{}\n]{1,40}\}"
_IN_FRONT = re.compile(
    rf"^(?:{_BRACKETED}|#\w+(?=\s)|[^\W\d_][\w/&-]*(?: [\w/&-]+){{0,2}}(?=\s?(?:[:=|]+|[-=]>|→)\s?\w|\s[-–—]+\s))"
)
_BEHIND = re.compile(rf"(?:{_BRACKETED}|(?<=\s)#\w+)\s*$")
_FEWEST_NAMED, _ENOUGH = 6, 20  # texts
_CASED = re.compile(r"[a-z]")
_ADVICE = "It was kept: remove it in the file where it is no part of what was written."
_ADVICE_ON_BOTH = "Both were kept: remove them in the file where they are no part of what was written."


def shared_notes(examples: Iterable[Example]) -> tuple[str, ...]:
    """Notes on what nearly all texts or all labels begin or end with, and on labels inside of their texts."""
    looked_at = [example for _, example in zip(range(_MOST_LOOKED_AT), examples, strict=False)]
    texts = list(dict.fromkeys(example.text for example in looked_at))
    before = _shared(texts)
    behind = _shared([text[::-1] for text in texts])[::-1]
    notes = [_of_texts(texts, before, behind)]
    labels = list(dict.fromkeys(example.label for example in looked_at if example.label is not None))
    notes += _of_labels(labels)
    bare = {text: text.removeprefix(before).removesuffix(behind) for text in texts}
    labelled = [(bare[e.text], e.label, e.text) for e in looked_at if e.label is not None]
    notes.append(_inside(labelled) if labelled else _named([bare[text] for text in texts]))
    return tuple(filter(None, notes))


def _shared(texts: Sequence[str]) -> str:
    """The longest beginning that nearly all texts share, up to the end of a word, where it is none of a sentence; empty
    where there is none."""
    for share in (_NEARLY_ALL_BY_WORDS, _NEARLY_ALL):
        found = _beginning(texts, share)
        words = share == _NEARLY_ALL_BY_WORDS and len(found.split()) >= _FEWEST_WORDS
        several = len("".join(found.split())) > 1 or "\n" in found.strip(" ")
        if several and (words or _SIGN.search(found.strip(" ")) is not None):
            return found
    return ""


def _beginning(texts: Sequence[str], share: float) -> str:
    """The longest beginning of so large a share of the texts, which ends where a word ends in all of them."""
    if len(texts) < _FEWEST:
        return ""
    shortest, longest, found = 0, _LONGEST, ""
    while shortest < longest:
        length = (shortest + longest + 1) // 2
        beginning, count = Counter(text[:length] for text in texts).most_common(1)[0]
        if count >= share * len(texts) and len(beginning) == length:
            shortest, found = length, beginning
        else:
            longest = length - 1
    following = {text[len(found)] for text in texts if len(text) > len(found) and text.startswith(found)}
    while found and found[-1].isalnum() and any(map(str.isalnum, following)):
        following, found = {found[-1]}, found[:-1]
    return found


def _of_texts(texts: Sequence[str], before: str, behind: str) -> str:
    beginning = sum(text.startswith(before) for text in texts)
    ending = sum(text.endswith(behind) for text in texts)
    found = [(beginning, "begin", before)] if before else []
    found += [(ending, "end", behind)] if behind else []
    if not found:
        return ""
    count, verb, part = found[0]
    sentence = f"{count:,} of {len(texts):,} different texts {verb} with {_cut(part)!r}"
    if len(found) == 1:
        return f"{sentence}. {_ADVICE}"
    also = "" if beginning == ending else f"{ending:,} "
    return f"{sentence} and {also}end with {_cut(behind)!r}. {_ADVICE_ON_BOTH}"


def _of_labels(labels: Sequence[str]) -> list[str]:
    """Notes on what all labels begin or end with, signs or capitals next to other words."""
    if len(labels) < _FEWEST_LABELS:
        return []
    found = []
    for verb, part in (("begin", commonprefix(labels)), ("end", commonprefix([label[::-1] for label in labels])[::-1])):
        rest = [label.removeprefix(part) if verb == "begin" else label.removesuffix(part) for label in labels]
        apart = part[-1:].isspace() if verb == "begin" else part[:1].isspace()
        signs = len(part.strip()) > 1 and _SIGN.search(part) is not None and apart
        if signs and all(map(_CASED.search, rest)):
            found.append(f"{verb} with {_cut(part.strip())!r}")
    advice = _ADVICE_ON_BOTH if found[1:] else _ADVICE
    return [f"All {len(labels):,} labels {' and '.join(found)}. {advice}"] if found else []


def _inside(labelled: Sequence[tuple[str, str, str]]) -> str:
    """A note on texts that nearly all begin or end with their own label; of (text without what is shared, label, text)
    of each."""
    if len(labelled) < _FEWEST or len({label for _, label, _ in labelled}) < _FEWEST_LABELS:
        return ""
    for what, holds in (("begin", _begins_with), ("end", _ends_with)):
        found = [(label, text) for bare, label, text in labelled if holds(bare.casefold(), label.casefold())]
        if len(found) >= _NEARLY_ALL_BY_WORDS * len(labelled) and len({label for label, _ in found}) > 1:
            label, text = found[0]
            place = _cut(text) if what == "begin" else text if len(text) <= _SHOWN else f"…{text[-_SHOWN:]}"
            return (
                f"{len(found):,} of {len(labelled):,} texts with a label {what} with it, such as {place!r} for "
                f"{label!r}. A model would learn the label from there: remove it from the texts in the file."
            )
    return ""


def _begins_with(text: str, label: str) -> bool:
    rest = re.sub(r"^[\W_]+", "", text)
    return rest.startswith(label) and not rest[len(label) : len(label) + 1].isalnum()


def _ends_with(text: str, label: str) -> bool:
    rest = re.sub(r"[\W_]+$", "", text)
    return rest.endswith(label) and not rest[-len(label) - 1 : -len(label)].isalnum()


def _named(texts: Sequence[str]) -> str:
    """A note on texts without labels that begin or end with what may be one."""
    for verb, shape in (("begin", _IN_FRONT), ("end", _BEHIND)):
        found = [mark.group() for text in texts if (mark := shape.search(text))]
        kinds = Counter(found)
        few = len(kinds) <= len(texts) // (2 if len(texts) < _ENOUGH else _TEXTS_FOR_A_LABEL)
        again = sum(count > 1 for count in kinds.values()) * 2 > len(kinds)
        nearly_all = len(texts) >= _FEWEST_NAMED and len(found) >= _NEARLY_ALL_BY_WORDS * len(texts)
        if nearly_all and few and again and len(kinds) >= _FEWEST_LABELS:
            named = first_names([repr(kind) for kind, _ in kinds.most_common()], 4)
            return (
                f"{len(found):,} of {len(texts):,} different texts {verb} with one of {len(kinds):,} values ({named}). "
                "If these are labels, write them into a column of their own and remove them from the texts."
            )
    return _behind_a_sign(texts)


def _behind_a_sign(texts: Sequence[str]) -> str:
    """A note on texts without labels of which nearly all have the same word with a sign, such as Response:, and behind
    it one of a few words."""
    if len(texts) < _FEWEST:
        return ""
    signs = [word for word in texts[0].split() if _SIGN.search(word)]
    for sign in reversed(signs[-_TEXTS_FOR_A_LABEL:]):
        ends = [text.rpartition(sign)[2].strip() for text in texts if sign in text]
        kinds = Counter(filter(None, ends))
        few = _FEWEST_LABELS <= len(kinds) <= len(texts) // _TEXTS_FOR_A_LABEL
        short = all(len(kind.split()) <= _LABEL_WORDS for kind in kinds)
        if few and short and kinds.total() >= _NEARLY_ALL_BY_WORDS * len(texts):
            named = first_names([repr(kind) for kind, _ in kinds.most_common()], 4)
            return (
                f"{kinds.total():,} of {len(texts):,} different texts have one of {len(kinds):,} values behind "
                f"{sign!r} at their end ({named}). If these are labels, write them into a column of their own and "
                "remove them from the texts."
            )
    return ""


def _cut(part: str) -> str:
    return part if len(part) <= _SHOWN else f"{part[:_SHOWN]}…"
