"""What the ways to a new project share: task, tokenizer, rows that were left out, and where the new project opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from pages._shared.catalog import RULES
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.option_names import in_page_words
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.exchange.counted_offsets import OFFSET_UNITS, OffsetUnit, unit_in_words
from re2nn_core.services.projects.exchanging import suggested_rules
from re2nn_core.services.projects.projects import free_project_name
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task
from re2nn_core.text.chinese import INSTALL, jieba_is_installed
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.held_out import USUAL_PERCENT, held_out, may_hold_out
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization, TokenizerKind, words

_TASK_TITLES = {Task.CLASSIFICATION: "A label for each text", Task.SLOT_FILLING: "Slots: words in the texts"}
_TASK_HELP = (
    "A label says what a text is about. Slots are named parts of a text, such as a place or a time, annotated as spans."
)
_TOKENIZERS: dict[TokenizerKind, tuple[str, str]] = {
    "punctuation": ("Words and punctuation", "For plain texts: “to Rome, please” has four tokens."),
    "whitespace": ("Whitespace only", "For tokenized texts: “Rome,” stays one token."),
    "characters": (
        "Chinese characters",
        "Each character is a token, also in Japanese. Runs of other letters and digits stay whole.",
    ),
    "word-parts": ("Parts of words", "Also splits “Rome's”, “Rome-based” and “5kg”: Rome 's, Rome - based, 5 kg."),
    "jieba": ("Chinese words by dictionary", "Uses the dictionary of jieba; unknown words are split."),
}
SLOT_CASE = "Ignore case in slot names"
SLOT_CASE_HELP = (
    "A rule with the slot `timerange` then fills the slot `timeRange` of the texts. Other slots keep the "
    "spelling of the rules. If texts spell a slot in two ways, the first is used."
)
_HOLD_OUT_HELP = (
    "A fixed random fifth of the texts of each label becomes the split test. They are not used for training, "
    "so figures on them hold for new texts."
)
_KEYS_HELP = (
    "A column of a table, or a key of JSON. What is inside of an object has a path: `message.text`. Several are joined "
    "to one text: `title, body`."
)
_PREDICTIONS_HELP = (
    "The column or key of labels, or of spans for slots; in exports of Label Studio the name of a control "
    "(`from_name`), in CoNLL the number of the column of tags, in spaCy files a span group."
)
_OFFSETS_HELP = (
    "What starts and ends of spans count: as a rule characters from 0, with the end behind the last one. In browsers "
    "and .NET these are UTF-16 units, two of them an emoji."
)
_NO_SPLIT = "The file has no test texts. Without test texts, figures are of texts that were used for training."
_SHOWN_WORDS = 16
_SHOWN_RULES = 6
_RULES_HELP = (
    "Rules v1 then hold words or phrases that distinguish the labels or slots in at least four "
    "of five texts. Check these rules first."
)


class Keys(NamedTuple):
    """The columns or keys of texts and of their labels or spans that a person named; None where the file says it."""

    text: str | None = None
    annotations: str | None = None


def choose_offsets(notes: Sequence[str], name: str, size: int) -> None:
    """A box for what offsets of spans count, where the `notes` on the file say that it may be open."""
    if _offsets_key(name, size) in st.session_state or any("--offsets" in note for note in notes):
        st.selectbox(
            "Offsets",
            [None, *OFFSET_UNITS],
            format_func=lambda unit: "Found in the file" if unit is None else unit_in_words(unit),
            key=_offsets_key(name, size),
            help=_OFFSETS_HELP,
        )


def chosen_offsets(name: str, size: int) -> OffsetUnit | None:
    """What a person said that the offsets in the file of this name and size count."""
    return st.session_state.get(_offsets_key(name, size))


def _offsets_key(name: str, size: int) -> str:
    return f"new_offsets_{name}_{size}"


def choose_keys(name: str, size: int) -> Keys:
    """Two boxes for columns or keys that are not found in the file of this name and size."""
    with st.expander("Names of columns or keys"):
        first, second = st.columns(2)
        text = first.text_input(
            "Texts", key=f"new_text_key_{name}_{size}", placeholder="Found in the file", help=_KEYS_HELP
        )
        annotations = second.text_input(
            "Labels",
            key=f"new_label_key_{name}_{size}",
            placeholder="Found in the file",
            help=_PREDICTIONS_HELP,
        )
    return Keys((text or "").strip() or None, (annotations or "").strip() or None)


def choose_task(found: Task, *, key: str) -> Task:
    """What is to be found in the texts; `found` is what the file looks like."""
    chosen = st.segmented_control(
        "What do you want to predict?",
        list(_TASK_TITLES),
        format_func=_TASK_TITLES.__getitem__,
        default=found,
        required=True,
        key=key,
        help=_TASK_HELP,
    )
    return Task(chosen or found)


def choose_tokenization(texts: Sequence[str], found: TokenizerKind, way: str) -> Tokenization:
    """How texts become words, with what becomes of the first one."""
    kinds = list(TOKENIZER_KINDS)
    kinds.sort(key=lambda kind: (kind != found, list(_TOKENIZERS).index(kind)))
    kind = st.selectbox(
        "Tokenization",
        kinds,
        format_func=lambda kind: _TOKENIZERS[kind][0] + _missing(kind),
        key=f"new_cut_{way}_{found}",
    )
    lowercase = st.checkbox("Ignore case", value=True, key=f"new_lower_{way}")
    tokenization = Tokenization(kind or found, bool(lowercase))
    html(f'<div class="re2-muted">{escape(_TOKENIZERS[tokenization.kind][1])}{_example(texts, tokenization)}</div>')
    return tokenization


def _missing(kind: TokenizerKind) -> str:
    return " (not installed)" if kind == "jieba" and not jieba_is_installed() else ""


def _example(texts: Sequence[str], tokenization: Tokenization) -> str:
    """The words of the first text, or why there are none."""
    if tokenization.kind == "jieba" and not jieba_is_installed():
        return f"<br>It needs an extra package: <code>{escape(INSTALL)}</code>. Then restart the program."
    if not texts:
        return ""
    found = words(texts[0], tokenization)
    shown = " ".join(f'<span class="re2-key">{escape(word)}</span>' for word in found[:_SHOWN_WORDS])
    return f"<br>First text: {shown}{' …' if len(found) > _SHOWN_WORDS else ''}"


def draw_notes(notes: Sequence[str]) -> None:
    """What was found in the texts and should be known before they are a project, as that one came twice."""
    shown = "".join(f"<div>{escape(in_page_words(note))}</div>" for note in notes)
    html(f'<div class="re2-warn">{shown}</div>' if shown else "")


def offer_hold_out(corpus: Corpus, way: str) -> Corpus:
    """The corpus; where it has answers and no splits, with a fifth of it as test texts if that is wanted."""
    if not may_hold_out(corpus):
        return corpus
    if not st.checkbox(f"Hold out {USUAL_PERCENT}% as test", key=f"new_hold_out_{way}", help=_HOLD_OUT_HELP):
        html(f'<div class="re2-muted">{_NO_SPLIT}</div>')
        return corpus
    drawn, reported = held_out(corpus)
    html(f'<div class="re2-muted">{escape(reported)}</div>')
    return drawn


def choose_name_and_words(
    texts: Sequence[str], name: str, found: TokenizerKind, way: str, more: Callable[[], None] = lambda: None
) -> tuple[str, Tokenization]:
    """What the project is called and how its texts become words, side by side, and `more` below the latter."""
    left, right = st.columns(2)
    chosen = left.text_input("Name of the project", free_project_name(store(), name[:100]), key=f"new_name_{way}")
    with right:
        tokenization = choose_tokenization(texts, found, way)
        more()
    return chosen or "", tokenization


def draw_create(way: str, create: Callable[[bool], ProjectRecord], *, suggests: bool) -> None:
    """The button that makes the project, by `create`, which is reported whether first rules are to be suggested;
    `suggests`: whether there is something to suggest them from."""
    suggest = _wants_rules(way) if suggests else False
    place = st.container()  # an error takes the place of the button, which is in sight when it is clicked
    if not st.button("Create project", type="primary", key=f"create_{way}", icon=":material/add:"):
        return
    with place, messages.guard("Creating the project") as outcome:
        project = create(suggest)
    if outcome.ok:
        open_new(project)


def _wants_rules(way: str) -> bool:
    """Whether first rules are to be suggested from the texts."""
    return st.checkbox("Suggest first rules from the texts", value=True, key=f"new_rules_{way}", help=_RULES_HELP)


def open_new(project: ProjectRecord) -> None:
    """Go on to the rules of a project that was just made."""
    state.choose_project(project.id)
    suggested = suggested_rules(store(), project)
    named = ", ".join(suggested[:_SHOWN_RULES]) + (" ..." if len(suggested) > _SHOWN_RULES else "")
    made = f" Starter rules were suggested from its texts, for: {named}." if suggested else ""
    messages.remember(f"{project.name} was created.{made}")
    st.switch_page(RULES.file, query_params={"project": str(project.id)})
