"""Which row, if any, names the columns, and what to call columns that have no name.

Published files come without a header (`label<TAB>text`), exported ones with one. The first row is taken for a
header if a cell is a name people give to such columns, or if its cells are short names above a column of
another kind: numbers, dates, whole sentences. A cell that comes again below it is no column's name: a label
"message" comes again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from re2nn_core.exchange.tables.cells import bare_name, is_date, is_numeric_cell, words_in
from re2nn_core.exchange.tables.translated_names import english_name, is_translated

TEXT_NAMES = (
    *("text", "sentence", "utterance", "message", "query", "content", "question", "utt"),
    *("comment", "feedback", "review", "body", "description", "tweet", "post", "email", "request"),
    *("complaint", "remark", "verbatim", "response", "document", "transcript", "phrase", "selftext"),
)
LABEL_NAMES = (
    *("label", "intent", "class", "category", "gold", "target"),
    *("sentiment", "topic", "tag", "annotation", "polarity", "cats"),
)
SPLIT_NAMES = ("split", "fold", "subset", "partition")
# What a column that names or dates a row is called; such a column holds no labels.
ID_NAMES = frozenset(("id", "uuid", "guid", "key", "index", "idx", "nr", "no", "number", "row", "line"))
DATE_NAMES = frozenset(("date", "day", "time", "timestamp", "datetime", "created", "updated", "at"))
# What tells of a row by whom and in which language it is: labels for some, and nobody but a person can say so.
# The same of where the work on it stands: status, state.
ASKED_NAMES = frozenset(
    ("lang", "language", "locale", "author", "annotator", "user", "name", "speaker", "sender", "status", "state")
)
TITLE_NAMES = frozenset(("title", "headline", "subject", "summary"))
# What a text may have several of, at their places.
SPAN_NAMES = frozenset(("span", "spans", "entity", "entities", "slots"))
# What people give for a text, if nothing else is a label of it.
RATING_NAMES = frozenset(("rating", "star", "stars", "score", "grade"))
# Words that make a number of a class of what would be one of a row: class index, label_id.
_CLASS_WORDS = frozenset(("label", "intent", "class", "category", "topic", "sentiment"))
# What holds the name of a label inside of an object: intent.name, label.value.
_NAME_WORDS = frozenset(("name", "value", "title", "text", "displayname"))
# What tells of a row where and how it came about, or is measured on it; few values, and still no labels.
UNLABELLED_NAMES = ASKED_NAMES | frozenset(
    (
        *("country", "city", "region", "location", "timezone", "source", "channel", "platform", "browser", "os"),
        *("device", "customer", "agent", "email", "url", "link", "version", "by", "owner", "assignee", "worker"),
        *("rater", "coder", "reviewer", "labeler", "retweet", "count", "length", "age", "confidence", "probability"),
        *("latitude", "longitude", "split", "fold", "subset", "title", "headline", "summary"),
        *("turn", "position", "start", "end", "begin", "offset", "rank", "respondent", "participant"),
        *SPAN_NAMES,
        *("asin", "isbn", "sku", "ean", "barcode", "vote", "votes", "likes", "upvotes"),
    )
)
# Words in the name of a column of what some program said; the labels are in another one, where there is one.
_PREDICTED = frozenset(
    (
        *("pred", "preds", "predicted", "prediction", "predictions", "model", "system", "guess", "guessed", "old"),
        *("auto", "suggestion", "suggestions", "suggested", "proposed"),
    )
)

# Behind the noun of a name: text of the message.
_OF = frozenset(("of", "de", "du", "des", "del", "da", "do", "di", "della", "dei", "der", "von", "van"))

# These alone are enough; the other names count where the whole row looks like names.
_PLAIN = frozenset((*TEXT_NAMES[:7], *LABEL_NAMES[:6], *SPLIT_NAMES))
_DISTINCTIVE = frozenset((*TEXT_NAMES, *LABEL_NAMES, *SPLIT_NAMES))
_OTHER = (
    "author user customer client agent product ticket name title subject source channel language lang country score "
    "rating stars confidence url status note original raw clean full short main predicted true type kind of the"
)
_KNOWN = _DISTINCTIVE | ID_NAMES | DATE_NAMES | frozenset(_OTHER.split())
# What exchange/export.py writes.
_WRITTEN = (("text", "label", "split"), ("text", "spans", "split"))
_LOOK = 1_000
_LONG_NUMBER = 10  # digits that no number of a row has
_NUMBERED = 3  # rows from which numbers in a row are no chance
_LONGEST_NAME, _MOST_WORDS = 40, 3
_FEWEST_BELOW, _FEWEST_SHORT, _ENOUGH_BELOW = 2, 3, 10
_CLEARLY = 0.9
_NAMED = 6


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True if `first` names the columns of the rows `below`."""
    below = below[:_LOOK]
    if has_known_names(first, below) or _differs_in_kind(first, below):
        return True
    # Files that were written one behind the other have their names again.
    others = [row for row in below if list(row) != list(first)]
    return len(first) > 1 and len(others) < len(below) and names_alone(first, others)


def asks_for(first: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if a cell of the first row is one of the column names that a person asked for."""
    return not {cell.strip().casefold() for cell in first}.isdisjoint(name.strip().casefold() for name in wanted)


def written_here(header: Sequence[str]) -> bool:
    """True for the names of columns that exports of projects have, whose cells stand as they were written."""
    return tuple(header) in _WRITTEN


def names_text_and_label(first: Sequence[str]) -> bool:
    """True if all cells are names of columns, one of texts and one of labels among them: "text", "label"."""
    if not all(map(_is_known, first)):  # nearly always at its first cell, where each row of a file is asked about
        return False
    names = {_singular(english_name(cell)) for cell in first}
    return not names.isdisjoint(TEXT_NAMES) and not names.isdisjoint(LABEL_NAMES)


def column_role(name: str) -> str:
    """What a column is for by its name, "customer comment" like "comment": its last word, or the one before
    "of"; in English also for names in other languages. Empty for a name without a word."""
    if is_translated(name):
        return english_name(name)
    words = words_in(name)
    behind = next((place for place, word in enumerate(words) if place and word in _OF), len(words))
    if not words:
        return ""
    first, last = words[0], _singular(words[behind - 1])
    # "Intent display name": the name of an intent; "label.responses": what annotators said of it.
    if last in ("name", "response") and (
        of := next((word for word in map(_singular, words) if word in LABEL_NAMES), None)
    ):
        return of
    # "Commentaire client": the noun is first in many languages.
    noun_first = is_translated(first) and (english_name(last) in ("customer", "author") or not _is_known(last))
    return english_name(first) if noun_first else _singular(english_name(last))


def holds_predictions(name: str) -> bool:
    """True for the name of a column of predictions, such as predicted_label."""
    return not _PREDICTED.isdisjoint(words_in(name))


def numbers_classes(name: str) -> bool:
    """True for the name of a column with numbers of classes, such as label_id."""
    return not _CLASS_WORDS.isdisjoint(map(_singular, words_in(name)))


def path_role(path: str) -> str:
    """The role of a value inside of an object: of its last part, or of the part before where that only names what a
    name tells the use of: intent.name, but input.text."""
    *before, last = path.split(".")
    named = column_role(before[-1]) if before and last.casefold() in _NAME_WORDS else ""
    return named if named in _KNOWN | UNLABELLED_NAMES | RATING_NAMES else column_role(last)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and word[:-1] in _KNOWN else word


def has_known_names(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True if cells of the first row are names that people give to columns."""
    below = below[:_LOOK]
    fresh = [cell for place, cell in enumerate(first) if not _comes_again(cell, place, below)]
    if any(_singular(english_name(cell)) in _PLAIN for cell in fresh):
        return True
    known = [cell for cell in fresh if _is_known(cell)]
    if not all(_is_known(cell) or _is_name(cell) or cell.strip()[-1:] in ("", "?") for cell in first):
        return False
    return len(known) > 1 or any(column_role(cell) in _DISTINCTIVE for cell in known)


def names_alone(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True if half of the filled cells of a row or more are known names of columns, and the others look like names."""
    filled = [cell for cell in first if cell.strip()]
    known = sum(map(_is_known, filled))
    if 2 * len({cell.strip().casefold() for cell in filled}) <= len(filled):  # no, no, no: a list of names has others
        return False
    return known * 2 >= len(filled) and all(map(_is_name, filled)) and has_known_names(first, below)


def _is_known(cell: str) -> bool:
    """True for names made of words that columns are called by: "Customer comment", "createdDate"."""
    words = words_in(cell)
    known = 0 < len(words) <= _MOST_WORDS and all(_singular(english_name(word)) in _KNOWN for word in words)
    return known or is_translated(cell)


def _differs_in_kind(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Several short names, none of which comes again, above a column that clearly holds something else, or above one of
    texts beside one of labels."""
    rows = [row for row in below if len(row) == len(first)]
    if len(first) < 2 or len(rows) < _FEWEST_BELOW or len(rows) < _CLEARLY * len(below):
        return False
    # A column without a name and with hardly a cell, as a comma too many makes it, says nothing.
    named = {
        place: cell
        for place, cell in enumerate(first)
        if cell.strip() or sum(bool(row[place].strip()) for row in rows) > (1 - _CLEARLY) * len(rows)
    }
    if len(named) < 2 or len({cell.strip().casefold() for cell in named.values()}) != len(named):
        return False
    if any(_comes_again(cell, place, rows) for place, cell in named.items()):
        return False
    cells = {place: [row[place] for row in rows if row[place].strip()] for place in named}
    if _are_questions([(cell, cells[place]) for place, cell in named.items()]):
        return True
    # Numbers of rows count on from the first one, which is a word here.
    if any(_numbers_rows(cells[place]) and any(map(str.isalpha, cell)) for place, cell in named.items()):
        return True
    if not all(map(_is_name, named.values())):
        return False
    if any(_is_unlike(cell, cells[place]) for place, cell in named.items()):
        return True
    texts = any(len(cell.split()) == 1 and _holds_texts(cells[place]) for place, cell in named.items())
    if texts and any(_is_closed(cells[place]) for place in named):
        return True
    # In a short table: a word far shorter than each text below it, next to one that no label below it is.
    short = {place for place, cell in named.items() if _is_far_shorter(cell, cells[place])}
    return any(_comes_back(cells[place]) for place in named if short - {place})


def _are_questions(columns: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Names of any length, as surveys have them: several words above numbers or dates, or words above two columns of
    these. A row of data may lack a number, and hardly two of them in other words."""
    unlike = [name for name, cells in columns if any(map(str.isalpha, name)) and _is_measured(cells)]
    unlike = [name for name in unlike if not (is_numeric_cell(name) or is_date(name))]
    asked = any(_is_question(name) and _is_closed(cells) for name, cells in columns)
    return asked or len(unlike) > 1 or any(len(words_in(name)) > 2 for name in unlike)


def _is_question(name: str) -> bool:
    return name.strip().endswith("?") and len(words_in(name)) > 2


def _are_lists(cells: Sequence[str]) -> bool:
    return sum(cell.lstrip()[0] == "[" and cell.rstrip()[-1] == "]" for cell in cells) >= _CLEARLY * len(cells)


def _is_measured(cells: Sequence[str]) -> bool:
    """Nearly all cells are numbers or dates."""
    measured = sum(is_numeric_cell(cell) or is_date(cell) for cell in cells)
    return len(cells) >= _FEWEST_BELOW and measured >= _CLEARLY * len(cells)


def may_name(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True for several names, none of which comes again, above a column of a few values that do: a header as much as a
    row of texts and labels."""
    below = below[:_LOOK]
    rows = [row for row in below if len(row) == len(first)]
    filled = [(place, cell) for place, cell in enumerate(first) if cell.strip()]
    if len(filled) < 2 or len(rows) < _CLEARLY * len(below):
        return False
    if not all(_is_name(cell) and not _comes_again(cell, place, rows) for place, cell in filled):
        return False
    return any(_is_closed([row[place] for row in rows if row[place].strip()]) for place, _ in filled)


def _is_far_shorter(name: str, cells: Sequence[str]) -> bool:
    """One word of less than half of the length of each of several distinct cells."""
    distinct = len({cell.strip() for cell in cells}) == len(cells) >= _FEWEST_SHORT
    return distinct and len(name.split()) == 1 and all(2 * len(name.strip()) <= len(cell.strip()) for cell in cells)


def _comes_back(cells: Sequence[str]) -> bool:
    """Few values, one of which at least comes again: labels of a few texts."""
    counts = Counter(cell.strip() for cell in cells)
    return len(cells) >= _FEWEST_SHORT and 1 < len(counts) < len(cells)


def _holds_texts(cells: Sequence[str]) -> bool:
    return sum(len(cell.split()) > 2 for cell in cells) * 3 > len(cells)


def _is_closed(cells: Sequence[str]) -> bool:
    """Few values, each of which comes again, as labels do."""
    counts = Counter(cell.strip() for cell in cells)
    return len(cells) >= _ENOUGH_BELOW and 1 < len(counts) <= len(cells) // 2 and min(counts.values()) > 1


def _is_name(cell: str) -> bool:
    return (
        len(cell) <= _LONGEST_NAME
        and 0 < len(words_in(cell)) <= _MOST_WORDS
        and any(map(str.isalpha, cell))
        and not is_numeric_cell(cell)
        and not is_date(cell)
        and cell.strip()[-1] not in ".?!"
    )


def _is_unlike(name: str, cells: Sequence[str]) -> bool:
    """The filled cells are numbers or dates, or several words each below a name of at most two."""
    if len(cells) < _FEWEST_BELOW:
        return False
    if _is_measured(cells) or (name.strip()[0] != "[" and _are_lists(cells)):
        return True
    return len(name.split()) <= 2 and sum(len(cell.split()) > 2 for cell in cells) >= _CLEARLY * len(cells)


def _comes_again(cell: str, place: int, below: Sequence[Sequence[str]]) -> bool:
    name = cell.strip().casefold()
    return any(len(row) > place and row[place].strip().casefold() == name for row in below)


def named_columns(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct column names from a header row, and notes on those that had to be changed."""
    names: list[str] = []
    notes = []
    nameless: list[str] = []
    for place, cell in enumerate(header, start=1):
        given = bare_name(cell)
        name = given or f"column_{place}"
        if name in names:
            number = 2
            while f"{name}_{number}" in names:
                number += 1
            name = f"{name}_{number}"
        if name != given and given:
            notes.append(f"Column {place} is called '{name}' here: another column is called '{given}'.")
        nameless += [] if given else [name]
        names.append(name)
    if nameless:
        columns = "1 column has" if len(nameless) == 1 else f"{len(nameless):,} columns have"
        more = f" and {len(nameless) - _NAMED:,} more" if len(nameless) > _NAMED else ""
        notes.append(f"{columns} no name, here called {', '.join(nameless[:_NAMED])}{more}.")
    changed = [cell for cell in header if bare_name(cell) != cell]
    if any(map(bare_name, changed)):
        columns = "1 column name" if len(changed) == 1 else f"{len(changed):,} column names"
        first = ascii(changed[0][:_LONGEST_NAME])
        notes.append(f"Blanks or invisible characters were removed from {columns}, such as {first}.")
    return tuple(names), tuple(notes)


def invented_columns(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """Names for columns without a header: 'text'; 'label' and 'text' (the longer one), or 'number' and 'text' where
    rows are numbered; or column_1, ..."""
    if width == 1:
        return ("text",)
    if width == 2:
        pairs = [row for row in rows if len(row) == 2]
        first, second = (sum(len(row[place]) for row in pairs) for place in (0, 1))
        short = 1 if first > second else 0
        other = "number" if _numbers_rows([row[short] for row in pairs]) else "label"
        return ("text", other) if short else (other, "text")
    return tuple(f"column_{place}" for place in range(1, width + 1))


def _numbers_rows(cells: Sequence[str]) -> bool:
    """Whole numbers, each one more than the last."""
    if len(cells) < _NUMBERED or not all(cell.isdecimal() and len(cell) < _LONG_NUMBER for cell in cells):
        return False
    first = int(cells[0])
    return [*map(int, cells)] == [*range(first, first + len(cells))]
