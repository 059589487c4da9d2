"""Text files of kinds that are not read here: each is refused by its name, with the way to one that is read.

Without this their lines would be taken for texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES

BRAT_ENDING = ".ann"
BRAT = (
    "annotations of brat (.txt with .ann), which are not read here",
    "Convert them to CoNLL with brat's own tools/anntoconll.py and import that.",
)
_SAMPLE = 64 * 1024
_LOOK = 50
_CLEARLY = 0.8
_FEWEST = 2
_TEXTS, _LABELS = frozenset(TEXT_NAMES), frozenset(LABEL_NAMES)
_JSON_LINES = 'Write one JSON object a line, {"text": "to oslo", "label": "trip"} or with "spans": [[3, 7, "city"]].'
_JSON_LINES_OR = f"Or w{_JSON_LINES[1:]}"
_CONLL_FROM_INCEPTION = "Export the document as “CoNLL 2002” in INCEpTION or WebAnno and import that."

_WEBANNO = re.compile(r"\d+-\d+(?:\.\d+)?\t")
_BRAT_LINE = re.compile(r"(?:[TREAMNW]\d+|#\d*|\*)\t\S")
_BRAT_SPAN = re.compile(r"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t")
_RASA_YAML = re.compile(r"^(?:nlu:\s*$|[^\S\n]*-\s+(?:intent|lookup|synonym|regex):\s)", re.MULTILINE)
_RASA_DOMAIN = re.compile(
    r"^(?:intents|entities|slots|responses|actions|forms|session_config):\s*(?:$|\[)", re.MULTILINE
)
_RASA_STORIES = re.compile(r"^(?:stories|rules):[^\S\n]*$(?:\s*#.*$)*+\s*+-\s+(?:story|rule):", re.MULTILINE)
_LABEL_STUDIO = re.compile(r"(?:<\?xml[^>]*\?>|<!--.*?-->|\s)*+<View\b[^>]*>.*\btoName=", re.DOTALL)
_RASA_MARKDOWN = re.compile(r"^##\s*(?:intent|lookup|synonym|regex):", re.MULTILINE)
_YAML = re.compile(r"%YAML|---\s*\n\S+:(?:\s|$)")
_XML = re.compile(r"<\?xml\b|<!DOCTYPE\b|<[A-Za-z][\w:.-]*(?:\s[^<>]*)?>\s*(?:\n|$)")
# A heading, a rule with its name or a class, as print_rules writes them; a rule without a name may be any line.
_RULE = re.compile(r"(?:[^\s:\[\]]+\s*:=|@[^\s@]+@\s*=)")
_RULE_OR_HEADING = re.compile(rf"{_RULE.pattern}|\[[^\[\]]+\]\s*$")
_CODED_NAME = re.compile(r"[A-Z][A-Z\d_.:/-]+|[A-Za-z][^\W_]*_\w+")
_SINGLE_NAME = re.compile(r"[^\W\d_][\w.:/-]*")
_MARKDOWN_TABLE = re.compile(r"[^|\n]*\|[^\n]*\n\s*+(?:\|\s*+)?:?-{3,}:?\s*\|")
# Behind comments and settings, as programs write out a database.
_SQL = re.compile(
    r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/;?|(?:SET|USE|BEGIN|START|LOCK|PRAGMA)\b[^;\n]*;)*"
    r"(?:INSERT INTO|CREATE (?:TABLE|DATABASE|SCHEMA)|SELECT\s.+\sFROM|DROP TABLE|COPY\s[^;\n]+\sFROM)\b",
    re.IGNORECASE,
)
_MAILS = re.compile(r"(?:From \S+ [^\n]*\d\n)?[A-Z][A-Za-z-]*: [^\n]*\n(?:(?:[A-Z][A-Za-z-]*: |[ \t])[^\n]*\n)*\n")
_MAIL_HEADER = re.compile(r"^(?:From|Subject|Date|Message-I[Dd]): ", re.MULTILINE)
_PROGRAMS = (".py", ".js", ".ts", ".java", ".c", ".cpp", ".r", ".sh", ".css", ".toml", ".ini", ".cfg")
# "to [Kiel](city)", "to {Kiel|city}", "to <city>Kiel</city>": a span between marks, with the name of its slot.
_INLINE = re.compile(
    r"\[[^\[\]\n]+\]\([A-Za-z][\w-]*\)|\{[^{}|\n]+\|[A-Za-z][\w-]*\}|<(?!s>)([A-Za-z][\w-]*)>[^<>\n]+</\1>"
    r"|<START(?::[^\s<>]+)?>[^<>\n]+<END>"
)
_TAG_FIRST = re.compile(r"(?:O|[BI]-\S+)[ \t](?!(?:O|[BI]-\S+)\s*$)\S+\s*$")
_WORD_WITH_TAG = re.compile(r"\S+[ \t]+(?:O|[BIESLUM]-\S+)\s*")
_WORD_WITH_TYPE = re.compile(r"\S+ +(O|(?![BIESLUM]-)[^\W\d_][\w.-]*)\s*")
_HTML = (
    "p b i u a em strong span div li ul ol td th tr table h\\d br script style html head body title code pre form font"
)
_HTML_TAGS = re.compile(rf"</(?:{'|'.join(_HTML.split())})>", re.IGNORECASE)
# book/O to/O rome/B-city, or between words and tags another sign
_SIGNED = re.compile(r"(?:(?>\S+[/:|_](?:O|[BI]-\S+)(?:\s+|$)))+(?:<=>.*)?\Z")
_SIGNED_BEGIN = re.compile(r"\S[/:|_]B-\w")
_PRINTED_OBJECT = re.compile(r"\s*[\[(]?\{'[^'\n]+': .*\},?[\])]?,?\s*\Z")
_PRINTED_TUPLE = re.compile(r"\s*\[?\((?:\"[^\"\n]*\"|'[^'\n]*'), ?(?:\"[^\"\n]*\"|'[^'\n]*'|-?\d+)\),?\]?\s*\Z")
_QUOTED = r"(?:[rubfRUBF]{0,2}(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))"
# "to oslo",   "to oslo": "trip",   ("to oslo", {"entities": [...]}),
_LISTED = re.compile(
    rf"\s*(?:{_QUOTED}(?:\s*(?::|=>|=)\s*{_QUOTED})?|[\[(]{_QUOTED}\s*,.*[\])])\s*,?\s*(?:#.*|//.*)?\Z"
)
# texts = [   const texts: string[] = [   x <- c(   DATA = {
_LIST_BEGINS = re.compile(
    r"\s*(?:(?:const|let|var|final)\s+)?(?:[A-Za-z_$][\w.$]*\s*(?::[^=\n]*)?(?:=|<-)\s*)?(?:c|list|set|tuple)?[\[({]\s*\Z"
)
_LIST_OF_ONE_LINE = re.compile(
    rf"\s*(?:(?:const|let|var|final)\s+)?[A-Za-z_$][\w.$]*\s*(?:=|<-)\s*(?:c|list|set|tuple)?[\[({{]\s*{_QUOTED}\s*,.*[\])}}];?\s*\Z"
)
_ELEMENT = re.compile(rf"\s*<(?!(?:{'|'.join(_HTML.split())})\b)([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>.*</\1>\s*\Z")
_SUBTITLES = re.compile(r"WEBVTT\b|\d+\s*\n\d\d:\d\d:\d\d[.,]\d{3} --> ")


_ARFF = re.compile(r"(?:%[^\n]*\n|\s)*@relation\s", re.IGNORECASE)
_LIBSVM = re.compile(r"\s*[-+]?\d+(?:[.,]\d+)*(?: +\d+:[-+]?[\d.e+-]+)+\s*(?:#.*)?")
_VOWPAL = re.compile(r"-?\d+(?:\.\d+)?(?: -?[\d.]+)*(?: '\S+)? *\|[A-Za-z]\w*(?::[\d.]+)? \S")
# [01/02/24, 10:00:11] Ann: hi there
_CHAT = re.compile(
    r"\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?\]?(?: -)? [^:\n]{1,40}: "
    r"|\[?\d{1,2}:\d{2}(?::\d{2})?\]? ?<[^<>\n]{1,40}> "
)
_PUBTATOR = re.compile(r"\d+(?:\|[at]\||\t\d+\t\d+\t)")
_PUBTATOR_TITLE = re.compile(r"\d+\|t\|")
_BLANKS_BETWEEN = re.compile(r'"[^"\n]*"(?: +(?:"[^"\n]*"|-?[\d.]+|NA))+\s*')
# BOS fly to oslo EOS, a tab, O O O B-city trip
_BETWEEN_MARKS = re.compile(r"BOS .* EOS\t(?:(?:O|[BI]-\S+) )+\S+\s*")


class ForeignTextError(DataFileError):
    """A text of a kind that is not read here, and whose lines may be read as texts all the same."""


@dataclass(frozen=True)
class _Kind:
    """What the text is, told behind "looks like", and what to do."""

    kind: str
    advice: str
    is_it: Callable[[str, list[str], str], bool]


_KINDS = (
    _Kind(
        "TSV of WebAnno or INCEpTION, which is not read here",
        _CONLL_FROM_INCEPTION,
        lambda text, lines, _: text.startswith("#FORMAT=WebAnno TSV") or _most(lines, _WEBANNO),
    ),
    _Kind(
        "CoNLL-2012 (OntoNotes), whose names are in brackets instead of BIO tags",
        "Convert them to BIO tags, a word and its tag a line.",
        lambda text, *_: text.startswith("#begin document"),
    ),
    _Kind(
        *BRAT,
        lambda _, lines, __: any(map(_BRAT_SPAN.match, lines)) and _most(lines, _BRAT_LINE),
    ),
    _Kind(
        "YAML of Rasa (nlu), which is not read here",
        f"Convert it to Rasa's JSON (rasa data convert nlu) and import that. {_JSON_LINES_OR}",
        lambda text, *_: len(_RASA_YAML.findall(text)) > 1,
    ),
    _Kind(
        "the domain, stories or rules of Rasa, which list names and no examples",
        "Convert the examples of your intents to Rasa's JSON (rasa data convert nlu) and import that.",
        lambda text, *_: len(set(_RASA_DOMAIN.findall(text))) > 1 or _RASA_STORIES.search(text) is not None,
    ),
    _Kind(
        "Markdown of Rasa (## intent:...), which is not read here",
        f"Convert it to Rasa's JSON (rasa data convert nlu) and import that. {_JSON_LINES_OR}",
        lambda text, *_: _RASA_MARKDOWN.search(text) is not None,
    ),
    _Kind(
        "lists of texts below headings (# intent, - text; Bot Framework, LUIS), which are not read here",
        f"Export the application of LUIS as JSON and import that. {_JSON_LINES_OR}",
        lambda _, lines, __: _has_headed_lists(lines),
    ),
    _Kind(
        "words with their tags behind a slash or another sign, which are not read here",
        "Convert them to CoNLL: a word and its tag a line, a blank line between texts.",
        lambda _, lines, __: _most(lines, _SIGNED) and any(map(_SIGNED_BEGIN.search, lines)),
    ),
    _Kind(
        "objects as Python prints them, which are not read here",
        "Write each as JSON (with Python's module json), one a line, and import that.",
        lambda _, lines, __: len(lines) > 1 and _most(lines, _PRINTED_OBJECT),
    ),
    _Kind(
        "tuples as Python prints them, which are not read here",
        "Write them as CSV (with Python's module csv) and import that.",
        lambda _, lines, __: len(lines) > 1 and _most(lines, _PRINTED_TUPLE),
    ),
    _Kind(
        "a list of texts in a program, which is not read here",
        "Write the texts alone, one a line without quotes and commas, or write the list with Python's module json or "
        "csv.",
        lambda _, lines, suffix: suffix not in (".json", ".jsonl") and _is_list_of_program(lines),
    ),
    _Kind(
        "the labelling setup of a project of Label Studio, which lists labels and no texts",
        "In Label Studio, export the project as JSON (Export) and import that.",
        lambda text, *_: _LABEL_STUDIO.match(text) is not None,
    ),
    _Kind(
        "a list of labels, one a line, not texts",
        "Import the texts that have these labels.",
        lambda _, lines, __: _are_names_of_labels(lines),
    ),
    _Kind(
        "elements of XML, one a line, which are not read here",
        _JSON_LINES,
        lambda _, lines, __: len(lines) > 1 and _most(lines, _ELEMENT),
    ),
    _Kind(
        "words with their tags and the label of each text on a line of its own, which are not read here",
        "Leave the lines with labels out and import the file as CoNLL.",
        lambda _, lines, __: _have_labels_between(lines),
    ),
    _Kind(
        "tags in front of their words, which are not read here",
        "Write each word in front of its tag, a blank line between texts, and import the file as CoNLL.",
        lambda _, lines, __: _most(lines, _TAG_FIRST) and any(line.startswith("B-") for line in lines),
    ),
    _Kind(
        "words with O or the name of a type behind each, which are not read here",
        "Write the types as tags, B-city for the first word and I-city for the next ones, and import the file as "
        "CoNLL.",
        lambda _, lines, __: _are_words_with_types(lines),
    ),
    _Kind(
        "YAML, which is not read here",
        _JSON_LINES,
        lambda text, _, suffix: suffix in (".yml", ".yaml") or _YAML.match(text) is not None,
    ),
    _Kind(
        "XML, which is not read here",
        "Save its texts as CSV (UTF-8), TSV or JSON lines and import that.",
        lambda text, *_: _XML.match(text) is not None,
    ),
    _Kind(
        "rules, not texts",
        "Check them with re2nn check, and paste them into the editor on the page Write rules.",
        lambda _, lines, __: _holds_rules(lines),
    ),
    _Kind(
        "a table of Markdown, which is not read here",
        "Save it as CSV (UTF-8) and import that.",
        lambda text, *_: _MARKDOWN_TABLE.match(text) is not None,
    ),
    _Kind(
        "SQL, which is not read here",
        "Export the table as CSV (UTF-8) and import that.",
        lambda text, _, suffix: suffix == ".sql" or _SQL.match(text) is not None,
    ),
    _Kind(
        "mails with their headers, which are not read here",
        "Save their bodies as CSV (UTF-8), a mail a row in a column called text, and import that.",
        lambda text, *_: (found := _MAILS.match(text)) is not None and len(_MAIL_HEADER.findall(found.group())) > 1,
    ),
    _Kind(
        "UIMA CAS JSON of INCEpTION, which is not read here",
        _CONLL_FROM_INCEPTION,
        lambda text, *_: '"%FEATURE_STRUCTURES"' in text,
    ),
    _Kind(
        "a program or settings, not texts",
        _JSON_LINES,
        lambda _, __, suffix: suffix in _PROGRAMS,
    ),
    _Kind(
        "sentences with their spans in brackets or tags, which are not read here",
        _JSON_LINES,
        lambda _, lines, __: _has_spans_inside(lines),
    ),
    _Kind(
        "words between BOS and EOS with tags and an intent (ATIS), which is not read here",
        "Write the words without BOS and EOS, their tags and the intent into columns called sentence, tags and intent.",
        lambda _, lines, __: len(lines) > 1 and all(map(_BETWEEN_MARKS.fullmatch, lines)),
    ),
    _Kind(
        "a table with blanks between its cells (write.table of R), which is not read here",
        "Write it as CSV, in R by write.csv, and import that.",
        lambda _, lines, __: len(lines) > 1 and all(map(_BLANKS_BETWEEN.fullmatch, lines)),
    ),
    _Kind(
        "ARFF of Weka, which is not read here",
        "Save it as CSV there and import that.",
        lambda text, *_: _ARFF.match(text) is not None,
    ),
    _Kind(
        "numbers of features (LIBSVM), not texts",
        "Import the texts that they were counted in.",
        lambda _, lines, __: len(lines) > 1 and all(map(_LIBSVM.fullmatch, lines)),
    ),
    _Kind(
        "Vowpal Wabbit, which is not read here",
        _JSON_LINES,
        lambda _, lines, __: len(lines) > 1 and all(map(_VOWPAL.match, lines)),
    ),
    _Kind(
        "PubTator (a title, an abstract and its spans below each other), which is not read here",
        f"Convert it to CoNLL and import that. {_JSON_LINES_OR}",
        lambda _, lines, __: _most(lines, _PUBTATOR) and any(map(_PUBTATOR_TITLE.match, lines)),
    ),
    _Kind(
        "a chat with the time and the name before each message, which is not read here",
        "Save the messages alone, one text a line, or as CSV with the columns name and text.",
        lambda _, lines, __: _most(lines, _CHAT),
    ),
    _Kind(
        "texts and labels one below the other, each with its name in front, which are not read here",
        _JSON_LINES,
        lambda _, lines, __: _are_records(lines),
    ),
    _Kind(
        "subtitles, which are not read here",
        "Save the spoken lines alone, one text a line.",
        lambda text, *_: _SUBTITLES.match(text) is not None,
    ),
)


def mark_of_span(text: str) -> str | None:
    """The first span between marks with the name of its slot, [Kiel](city); None where the text has none, or HTML."""
    found = _INLINE.search(text)
    return None if found is None or _HTML_TAGS.search(text) else found.group()


def refuse_foreign_text(text: str, name: str) -> None:
    """ForeignTextError for a text of a kind that is not read here; `name` is that of its file."""
    sample = text[:_SAMPLE].lstrip("\ufeff").replace("\r\n", "\n").lstrip("\n")
    lines = [line for line in sample.split("\n") if line.strip()][:_LOOK]
    suffix = Path(name).suffix.casefold()
    for kind in _KINDS:
        if kind.is_it(sample, lines, suffix):
            raise ForeignTextError(
                f"'{name}' looks like {kind.kind}. {kind.advice} To read each line as a text all the same, choose "
                "the format txt (--format txt)."
            )


def _is_list_of_program(lines: list[str]) -> bool:
    """True for texts in quotes below a line that begins a list, texts = [, or for such lists on a line each."""
    if lines and all(map(_LIST_OF_ONE_LINE.match, lines)):
        return True
    rest = lines[1:]
    closed = [line for line in rest if line.strip().rstrip(";,") not in ("]", ")", "}")]
    return bool(closed) and _LIST_BEGINS.match(lines[0]) is not None and _most(closed, _LISTED)


def _are_names_of_labels(lines: list[str]) -> bool:
    """True for names in capitals or with signs between their words, PERSON or book_flight, one a line and each once."""
    names = [line.strip() for line in lines]
    coded = [name for name in names if _CODED_NAME.fullmatch(name)]
    single = all(map(_SINGLE_NAME.fullmatch, names)) and len(set(names)) == len(names)
    return single and len(names) >= _FEWEST and 2 * len(coded) >= len(names)


def _are_records(lines: list[str]) -> bool:
    """True for lines with a name in front, one of texts and one of labels among them, each of which comes again."""
    names = Counter(line.partition(":")[0].strip().casefold() for line in lines if ": " in line)
    again = [name for name, count in names.items() if count > 1]
    known = not _TEXTS.isdisjoint(again) and not _LABELS.isdisjoint(again)
    return known and sum(names[name] for name in again) >= _CLEARLY * len(lines)


def _are_words_with_types(lines: list[str]) -> bool:
    """True for a word, a blank and O or the name of a type (city, city-B) on each line, a third of them O at least."""
    rows = [found for line in lines if (found := _WORD_WITH_TYPE.fullmatch(line)) is not None]
    types = Counter(found.group(1) for found in rows)
    few = len(types) >= _FEWEST and 3 * len(types) <= len(rows)
    return few and len(rows) >= _CLEARLY * len(lines) and 3 * types["O"] >= len(rows)


def _have_labels_between(lines: list[str]) -> bool:
    """True for words with their tags, but for single words behind or before several of them each."""
    alone = [line for line in lines if len(line.split()) == 1]
    tagged = sum(_WORD_WITH_TAG.fullmatch(line) is not None for line in lines)
    begins = any(line.split()[-1].startswith("B-") for line in lines)
    return begins and len(alone) >= _FEWEST and tagged >= len(alone) and tagged + len(alone) == len(lines)


def _holds_rules(lines: list[str]) -> bool:
    """True if at least half of the lines but comments are rules, classes and headings, the first one too."""
    rows = [line for line in lines if not line.startswith("#")]
    shaped = [_RULE_OR_HEADING.match(line) is not None for line in rows]
    return any(map(_RULE.match, rows)) and shaped[0] and 2 * sum(shaped) >= len(shaped)


def _has_spans_inside(lines: list[str]) -> bool:
    """True if several lines, and at least half of them, hold a span between marks that are no HTML."""
    marked = [_INLINE.search(line) is not None and _HTML_TAGS.search(line) is None for line in lines]
    return sum(marked) >= _FEWEST and 2 * sum(marked) >= len(marked)


def _has_headed_lists(lines: list[str]) -> bool:
    """True for nothing but headings, two at least, items of lists and comments of the Bot Framework."""
    headings = sum(line.startswith("#") for line in lines)
    items = sum(line.lstrip().startswith(("- ", "* ")) for line in lines)
    comments = sum(line.startswith((">", "@")) for line in lines)
    return headings > 1 and items >= headings and headings + items + comments == len(lines) and lines[0][0] in "#>@"


def _most(lines: list[str], shape: re.Pattern[str]) -> bool:
    """True if most lines but comments begin in this way."""
    rows = [line for line in lines if not line.startswith("#")] or lines
    return bool(rows) and sum(shape.match(line) is not None for line in rows) >= _CLEARLY * len(rows)
