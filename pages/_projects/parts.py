"""What the ways to a new project share: task, tokenizer, rows that were left out, and where the new project opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.catalog import RULES
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.projects.exchanging import suggested_rules
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task
from re2nn_core.text.chinese import INSTALL, jieba_is_installed
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.held_out import USUAL_PERCENT, held_out, may_hold_out
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization, TokenizerKind, words

_TASK_TITLES = {Task.CLASSIFICATION: "A label for each text", Task.SLOT_FILLING: "Slots: words in the texts"}
_TASK_HELP = (
    "A label says what a text is about. Slots say which of its words tell where, when, who, how much; each slot is "
    "marked with spans."
)
_TOKENIZERS: dict[TokenizerKind, tuple[str, str]] = {
    "punctuation": ("Words and punctuation apart", "For plain texts: “to Rome, please” is four words."),
    "whitespace": ("At blanks only", "For texts cut into words before: “Rome,” stays one word."),
    "characters": ("Each Chinese character a word", "Also for Japanese; runs of other letters and digits stay whole."),
    "word-parts": ("Parts of words apart", "Also cuts “Rome's”, “Rome-based” and “5kg”: Rome 's, Rome - based, 5 kg."),
    "jieba": ("Chinese words by dictionary", "Cut by the dictionary of jieba; what it does not know falls apart."),
}
SLOT_CASE = "Slot names compare without regard to case"
SLOT_CASE_HELP = (
    "A rule that captures `timerange` then fills the slot that the texts call `timeRange`. A slot that is like none of "
    "the texts stays as the rule writes it. Texts that spell one slot in two ways are read as the first of them."
)
_HOLD_OUT_HELP = (
    "A fifth of the texts of each label, drawn by chance from a fixed seed, goes into the split test. Nothing is "
    "learned from these texts, so that figures on them say how rules and networks do on new ones."
)
_NO_SPLIT = "The file names no test texts. Without some, figures are of texts that were learned from."
_SHOWN_WORDS = 16
_SHOWN_RULES = 6
_SHOWN_NOTES = 8
_RULES_HELP = (
    "Version 1 of the rules then names words or phrases that tell the labels or slots of the texts apart, in four of "
    "five texts at least. Label asks these rules too, so look at them first."
)


def choose_task(found: Task, *, key: str) -> Task:
    """What is to be found in the texts; `found` is what the file looks like."""
    chosen = st.segmented_control(
        "What is to be found?",
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
        "How texts become words",
        kinds,
        format_func=lambda kind: _TOKENIZERS[kind][0] + _missing(kind),
        key=f"new_cut_{way}_{found}",
    )
    lowercase = st.checkbox("Capital and small letters are the same", value=True, key=f"new_lower_{way}")
    tokenization = Tokenization(kind or found, bool(lowercase))
    html(f'<div class="re2-muted">{escape(_TOKENIZERS[tokenization.kind][1])}{_example(texts, tokenization)}</div>')
    return tokenization


def _missing(kind: TokenizerKind) -> str:
    return " (not installed)" if kind == "jieba" and not jieba_is_installed() else ""


def _example(texts: Sequence[str], tokenization: Tokenization) -> str:
    """The words of the first text, or why there are none."""
    if tokenization.kind == "jieba" and not jieba_is_installed():
        return f"<br>It needs an extra package: <code>{escape(INSTALL)}</code>, then start the program again."
    if not texts:
        return ""
    found = words(texts[0], tokenization)
    shown = " ".join(f'<span class="re2-key">{escape(word)}</span>' for word in found[:_SHOWN_WORDS])
    return f"<br>The first text becomes {shown}{' …' if len(found) > _SHOWN_WORDS else ''}"


def draw_notes(notes: Sequence[str]) -> None:
    """What was found in the texts and should be known before they are a project, as that one came twice."""
    shown = "".join(f"<div>{escape(note)}</div>" for note in notes[:_SHOWN_NOTES])
    html(f'<div class="re2-warn">{shown}</div>' if shown else "")


def offer_hold_out(corpus: Corpus, way: str) -> Corpus:
    """The corpus; where it has answers and no splits, with a fifth of it as test texts if that is wanted."""
    if not may_hold_out(corpus):
        return corpus
    if not st.checkbox(f"Hold out {USUAL_PERCENT}% as test", key=f"new_hold_out_{way}", help=_HOLD_OUT_HELP):
        html(f'<div class="re2-muted">{_NO_SPLIT}</div>')
        return corpus
    drawn, told = held_out(corpus)
    html(f'<div class="re2-muted">{escape(told)}</div>')
    return drawn


def choose_name_and_words(
    texts: Sequence[str], name: str, found: TokenizerKind, way: str, more: Callable[[], None] = lambda: None
) -> tuple[str, Tokenization]:
    """What the project is called and how its texts become words, side by side, and `more` below the latter."""
    left, right = st.columns(2)
    chosen = left.text_input("Name of the project", name[:100], key=f"new_name_{way}")
    with right:
        tokenization = choose_tokenization(texts, found, way)
        more()
    return chosen or "", tokenization


def draw_create(way: str, create: Callable[[bool], ProjectRecord], *, suggests: bool) -> None:
    """The button that makes the project, by `create`, which is told whether first rules are to be suggested;
    `suggests`: whether there is something to suggest them from."""
    suggest = _wants_rules(way) if suggests else False
    if not st.button("Create project", type="primary", key=f"create_{way}", icon=":material/add:"):
        return
    with messages.guard("Creating the project") as outcome:
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
    made = f" {counted(len(suggested), 'starter rule')} made from its texts, for: {named}." if suggested else ""
    messages.remember(f"{project.name} was created.{made}")
    st.switch_page(RULES.file, query_params={"project": str(project.id)})
