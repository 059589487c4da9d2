"""What may be in texts by mistake: HTML, slots written into them, characters of a wrong encoding, escapes.

A column is looked at a run of cells at a time: where no cell has the sign, none is looked at.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from re2nn_core.exchange.tables.foreign_texts import mark_of_span
from re2nn_core.exchange.tables.turns.listed_turns import USER
from re2nn_core.exchange.tables.turns.written_turns import turns_in
from re2nn_core.text.counting import counted

_HTML = re.compile(
    r"</?(?:br|p|div|span|b|i|u|a|em|strong|ul|ol|li|img|h[1-6]|font|td|tr)\b[^<>]{0,200}>|&(?:amp|lt|gt|quot|nbsp|apos|#\d{1,6});",
    re.IGNORECASE,
)
# Two and three bytes of UTF-8, each read as a character of its own, in the word where they are.
_DECODED_TWICE = re.compile(r"[^\s\"',;]*(?:[ÂÃÄÅÐÑ][\x80-\xbf\u0152-\u2122]|â€[^\s]?)[^\s\"',;]*")
_FORMULA = re.compile(r"\s*=[A-Z]{2,}\([^\n]*")
_MISSING = re.compile(r"\s*(?:nan|null|none|n/?a|#n/a|nil|undefined|\\n)\s*", re.IGNORECASE)
# Neither a path (C:\new) nor a command of LaTeX (\nu, \text).
_ESCAPE = re.compile(
    r"\\u[0-9a-fA-F]{4}|(?<!\b[A-Za-z]:)\\(?:n(?!(?:u|e|eq|ot|i|abla|ewline|ewcommand|oindent)\b)|[rt](?![a-z]))"
)
_QUOTED_PRINTABLE = re.compile(r"(?:=[C-F][0-9A-F](?:=[89AB][0-9A-F])+(?:=20)?|=3D|=20(?=\r?\n))+")
# A text without blanks, and no address.
_PERCENT = re.compile(r"(?!\S*://)\S*?((?:%[0-9A-Fa-f]{2})+)\S*")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{12,}={0,2}")
_BLANKS = {"\\n": "a line break", "\\r": "a line break", "\\t": "a tab", "%20": "a blank", "=20": "a blank"}
# What programs write between the turns of a conversation, or between a text and another one.
_JOINS = re.compile(
    r"__(?:eou|eot|eos|sep|turn)__|<(?:eou|eot|eos|sep|utt|turn|/s|\|sep\|)>|\[(?:eou|eot|eos|sep|turn)\]"
    r"|(?<=\s)\|\|\|?(?=\s)",
    re.IGNORECASE,
)
_IN_JOINS = ("__", "<", "[", "||")
_LONGEST = 30  # characters that are shown
_FEWEST, _FEW = 2, 20  # texts with a sign, and of how many texts one
_LOOK = 500  # texts, where none of which is a conversation no other one is looked at


def _first(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda text: None if (found := pattern.search(text)) is None else found.group()


def _whole(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda text: text.strip() if pattern.fullmatch(text) else None


def meant_word(word: str) -> str | None:
    """What a word of UTF-8 that was read in another encoding means, "Größe" for "GrÃ¶ÃŸe"; None for any other."""
    try:
        meant = b"".join(map(_byte, word)).decode()
    except ValueError:
        return None
    return meant if len(meant) < len(word) else None


def _byte(character: str) -> bytes:
    """The byte that a character was read from; ValueError where it was none."""
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1")  # the five bytes that cp1252 leaves out


def _word_decoded_twice(text: str) -> str | None:
    return next((found.group() for found in _DECODED_TWICE.finditer(text) if meant_word(found.group())), None)


def _escape(text: str) -> str | None:
    """The first escape of a text, as a program or a mail writes it: \\n, \\u00e9, =C3=A9, %20."""
    found = _ESCAPE.search(text) if "\\" in text else None
    found = found or (_QUOTED_PRINTABLE.search(text) if "=" in text else None)
    if found is not None:
        return found.group()
    percent = _PERCENT.fullmatch(text.strip()) if "%" in text else None
    return None if percent is None else percent.group(1)


def _in_base64(text: str) -> str | None:
    text = text.strip()
    return text if " " not in text and _decoded(text) else None


def _decoded(text: str) -> str:
    """What a text in base64 holds; empty for any other."""
    if len(text) % 4 or _BASE64.fullmatch(text) is None:
        return ""
    try:
        decoded = base64.b64decode(text).decode()
    except ValueError:
        return ""
    return decoded if decoded.isprintable() else ""


def _meaning(escape: str) -> str:
    """What an escape stands for, in words where nobody sees it."""
    if escape in _BLANKS:
        return _BLANKS[escape]
    if escape.startswith("\\"):
        return repr(chr(int(escape[2:], 16)))
    return repr(bytes.fromhex(escape.replace(escape[0], "")).decode("utf-8", "replace"))


def _conversation(text: str) -> str | None:
    return text if turns_in(text) else None


def _join(text: str) -> str | None:
    """The sign between several parts of a text, two at least; two bars may also part a text and a label."""
    parts = [part for part in _JOINS.split(text) if any(map(str.isalnum, part))]
    sign = next((found.group() for found in _JOINS.finditer(text)), "")
    return sign if len(parts) > (2 if sign.startswith("|") else 1) else None


_WITHOUT = ("nan", "NaN", "NAN", "null", "NULL", "Null", "one", "ONE", "N/A", "n/a", "NA", "na", "nil", "undef", "\\N")
# What one of the texts has to hold, what is found in it, and what is said of it; HTML has an option of its own.
HTML = "html"
_SLOTS, _TWICE, _ESCAPES, _FORMULAS, _NONE, _TURNS = "slots", "twice", "escapes", "formulas", "none", "turns"
_ENCODED, _JOINED = "encoded", "joined"
_SIGNS: dict[str, tuple[tuple[str, ...], Callable[[str], str | None]]] = {
    HTML: (("<", "&"), _first(_HTML)),
    _SLOTS: (("](", "</", "|"), mark_of_span),
    _TWICE: (("Â", "Ã", "Ä", "Å", "Ð", "Ñ", "â€"), _word_decoded_twice),
    _ESCAPES: (("\\", "%", "="), _escape),
    _ENCODED: (("=",), _in_base64),
    _FORMULAS: (("=",), _whole(_FORMULA)),
    _JOINED: (_IN_JOINS, _join),
    _NONE: (_WITHOUT, _whole(_MISSING)),
    _TURNS: ((": ", ":\n", ":*", "|>"), _conversation),
}


@dataclass
class TextSigns:
    """How many cells have each sign, and the first one of them."""

    found: dict[str, tuple[int, str]] = field(default_factory=dict)
    taken: int = 0

    def take(self, cells: Sequence[str]) -> None:
        """The next cells, none of them empty."""
        together = "\n".join(cells)
        for name, (needed, first_in) in _SIGNS.items():
            if any(part in together for part in needed):
                for place, cell in enumerate(cells, self.taken):
                    if name == _TURNS and place >= _LOOK and name not in self.found:
                        break
                    # Of texts in base64 two of three end in a sign.
                    may_be = name == _ENCODED or any(part in cell for part in needed)
                    if may_be and (shown := first_in(cell)) is not None:
                        count, first = self.found.get(name, (0, shown))
                        self.found[name] = (count + 1, first)
        self.taken += len(cells)

    @property
    def html(self) -> str:
        """What is to be said of HTML, which can be removed; empty where there is none."""
        if HTML not in self.found:
            return ""
        count, first = self.found[HTML]
        return f"{_texts(count)} with HTML, such as {_shown(first)}: it was kept as it is. Remove it with --strip-html."

    @property
    def turns_of_users(self) -> bool:
        """Whether some of the texts are conversations with a user."""
        return _TURNS in self.found and any(turn.role == USER for turn in turns_in(self.found[_TURNS][1]))

    def remarks(self, filled: int, column: str) -> tuple[str, ...]:
        """What is to be said of all else, of so many cells of a column of this name."""
        enough = {
            name: both
            for name, both in self.found.items()
            if name == _NONE or (both[0] >= _FEWEST and _FEW * both[0] >= filled)
        }
        remarks = tuple(_SENTENCES[name](*both) for name, both in enough.items() if name in _SENTENCES)
        return (*remarks, _of_turns(*enough[_TURNS], column)) if _TURNS in enough else remarks


def _of_turns(count: int, first: str, column: str) -> str:
    turns = turns_in(first)
    alone = "To classify turns, write each of them into a row of its own."
    if any(turn.role == USER for turn in turns):
        alone = f"To read the first turn of the user alone, choose it with --text-column {column}.{USER}."
    shown = f"{turns[0].name}: {turns[0].content}"
    what = "text is a conversation" if count == 1 else "texts are conversations"
    return f"{count:,} {what} of several turns, such as {_shown(shown)!r}: each was kept as one text. {alone}"


def _texts(count: int) -> str:
    return counted(count, "text")


def _shown(first: str) -> str:
    return first if len(first) <= _LONGEST else f"{first[:_LONGEST]}…"


_SENTENCES: dict[str, Callable[[int, str], str]] = {
    _SLOTS: lambda count, first: (
        f"{_texts(count)} with slots written into them, such as {_shown(first)}: they were kept as they are. To import "
        'the slots, write JSON lines with "spans": [[3, 7, "city"]].'
    ),
    _TWICE: lambda count, first: (
        f"{_texts(count)} with UTF-8 that was read in another encoding before, such as {_shown(first)!r} for "
        f"{_shown(meant_word(first) or '')!r}: they were kept as they are. Export them again as UTF-8."
    ),
    _FORMULAS: lambda count, first: (
        f"{_texts(count)} with formulas of a spreadsheet, such as {_shown(first)}: they were kept as they are. Copy "
        "the values in their place there."
    ),
    _NONE: lambda count, first: (
        f"{_texts(count)} such as {first!r}, as programs write a missing one: they were kept. Empty these cells to "
        "leave them out."
    ),
    _JOINED: lambda count, first: (
        f"{_texts(count)} of several parts with {first!r} in between, as between the turns of a conversation: each was "
        "kept as one text. To classify the parts, write each of them into a row of its own."
    ),
    _ENCODED: lambda count, first: (
        f"{_texts(count)} in base64, such as {_shown(first)!r} for {_shown(_decoded(first))!r}: they were kept as they "
        "are. Decode them and import the file again."
    ),
    _ESCAPES: lambda count, first: (
        f"{_texts(count)} with escapes such as {first}, which stand for characters ({_meaning(first)}): they "
        "were kept as they are. Export the texts again without escapes, or as JSON."
    ),
}
