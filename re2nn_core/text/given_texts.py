"""Texts as a program gives them: a list of strings, and what is refused in its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from re2nn_core.errors import InputError, shortened


def shown_value(value: object) -> str:
    """A value as messages quote it: its kind and the first of its characters."""
    return f"{type(value).__name__} {shortened(repr(value))[:80]}"


def is_table(given: object) -> bool:
    """Whether a value has rows and columns, as a DataFrame or a matrix has."""
    shape = getattr(given, "shape", ())
    return isinstance(shape, tuple) and len(shape) > 1


def checked_texts(texts: Any) -> list[str]:
    """The texts that a program gives, as a list. InputError for what is no list of strings."""
    if isinstance(texts, str | bytes):
        raise InputError(
            f"The texts are one {type(texts).__name__}, not a list. Put the text in a list: predict([text])."
        )
    _refuse_no_list(texts)
    found = list(texts)
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise InputError(
                f"Text {place + 1:,} of {len(found):,} is no string (got {shown_value(text)}). "
                "Give strings; leave missing texts out."
            )
        if type(text) is not str:  # a string of NumPy is one too, and prints otherwise
            found[place] = str(text)
    return found


def checked_text(text: Any) -> str:
    """One text. InputError for what is no string."""
    if not isinstance(text, str):
        raise InputError(f"The text is no string (got {shown_value(text)}). Give one text as a string: explain(text).")
    return str(text)


def _refuse_no_list(texts: object) -> None:
    """InputError for what would be read otherwise than was meant: names of columns, keys, letters of a path."""
    if is_table(texts):
        raise InputError(
            f"The texts are a table of shape {texts.shape}, not a list. "  # type: ignore[attr-defined]
            'Give a list of strings, or one column of the table, as in table["text"].'
        )
    if isinstance(texts, Mapping):
        raise InputError(
            f"The texts are a {type(texts).__name__}, of which only the keys would be read. "
            "Give a list of strings, as in predict(list(texts.values()))."
        )
    if isinstance(texts, set | frozenset):
        raise InputError(
            f"The texts are a {type(texts).__name__}, which has no order, so predictions would belong to no text. "
            "Give a list of strings, as in predict(sorted(texts))."
        )
    if isinstance(texts, Path):
        raise InputError(
            f"The texts are the path {texts}, not a list. Read the file first: predict(read_texts(path).texts)."
        )
    if not hasattr(texts, "__iter__") or getattr(texts, "shape", None) == ():
        raise InputError(f"The texts are no list (got {shown_value(texts)}). Give a list of strings: predict([text]).")
