"""Text as it can be shown: signs that cannot be seen, and that steer a terminal or turn the direction of writing, are
written out."""

from __future__ import annotations

import re
import unicodedata

# Control characters but tab and line break, and those that override the direction of writing.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with such signs written as `\\x1b` or `\\u202e`."""
    return _HIDDEN.sub(lambda found: _written(found[0]), text)


def unseen_sign(name: str) -> str:
    """The first sign of a name that leaves no trace, so that it can pass for another name; empty for none. Joiners are
    needed in words of some scripts, and are fine between signs that are none of ASCII."""
    for before, sign, after in zip(f" {name}", name, f"{name[1:]} ", strict=False):
        joins = sign in "\u200c\u200d" and not before.isascii() and not after.isascii()
        if unicodedata.category(sign) == "Cf" and not joins:
            return sign
    return ""


def hidden_signs(text: str) -> tuple[str, ...]:
    """Each such sign of a text once, as it is written out."""
    return tuple(dict.fromkeys(_written(sign) for sign in _HIDDEN.findall(text)))


def _written(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
