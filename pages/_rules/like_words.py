"""Words of like meaning under Word classes: what the rules' `@~word:0.6@` have, and more words for a class."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._rules.analysis import texts
from pages._rules.draft import change_draft
from pages._shared.drawing import messages
from pages._shared.resources import store
from re2nn_core.services.rule_writing.class_words import classes_of_words, first_text_with, with_class_words
from re2nn_core.services.rule_writing.draft import Draft, put_texts
from re2nn_core.services.rule_writing.like_words import (
    LEAST,
    MOST,
    LikeWords,
    NearWord,
    NearWords,
    decided,
    more_like,
    near_words,
    offered_nearness,
    too_wide,
    undecided,
    used_like_words,
    with_nearness,
    words_like,
)
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization, words_of_all

_SHOWN = 12  # words


def draw_like_words(project: ProjectRecord, draft: Draft, ruleset: RuleSet | None) -> None:
    """The classes of like words, and more words for the other classes."""
    for asked in used_like_words(draft.rules_text):
        with messages.guard("Finding words of like meaning"):
            _draw_class(project, draft, asked)
    if ruleset is not None:
        with messages.guard("Finding words of like meaning"):
            _draw_more(project, ruleset)


def _draw_class(project: ProjectRecord, draft: Draft, asked: LikeWords) -> None:
    if asked in undecided(draft.rules_text):
        st.button(
            f"Find the words of @{asked.name}@",
            key=f"rules_like_find_{asked.name}",
            type="primary",
            on_click=_decide,
            args=(project,),
        )
        return
    near = _near(project, asked.words)
    offered = offered_nearness(asked.words, near)
    nearness = st.slider(
        f"Nearness of @{asked.name}@",
        LEAST,
        MOST,
        asked.nearness,
        0.01,
        key=f"rules_like_nearness_{asked.name}",
        help=f"Cosine of the word vectors. Offered: {offered:g}, where the words get much less near.",
    )
    chosen = LikeWords(asked.words, nearness)
    found = words_like(chosen, near)
    there = sum(one.count > 0 for one in found)
    st.markdown(f"{counted(len(found), 'word')}, {there:,} of them in the texts: {_listed(found)}")
    if (warning := too_wide(chosen, found, near)) is not None:
        st.warning(messages.plain(warning), icon=":material/warning:")
    st.button(
        "Apply nearness",
        key=f"rules_like_apply_{asked.name}",
        disabled=chosen == asked,
        on_click=_set_nearness,
        args=(project, asked, nearness),
    )


def _listed(found: Sequence[NearWord]) -> str:
    """The words of the texts first, each with its count."""
    ordered = sorted(found, key=lambda one: (one.count == 0, -one.nearness))
    named = ", ".join(messages.plain(f"{one.word} ({one.count:,})") for one in ordered[:_SHOWN])
    return f"{named} and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else named


def _draw_more(project: ProjectRecord, ruleset: RuleSet) -> None:
    classes = classes_of_words(ruleset)
    if not classes:
        return
    chosen = st.selectbox(
        "More words like those of",
        list(classes),
        index=None,
        format_func=lambda name: f"@{name}@",
        key="rules_more_like",
        help="Words whose vectors are nearest to those of the class: first words of the texts, then words that no text "
        "has.",
    )
    if chosen is None:
        return
    found = more_like(classes[chosen], _near(project, ()), _SHOWN)
    if not found:
        st.markdown("No word is near to these.")
        return
    records = texts(project)
    plain = [record.text for record in records]
    sentences = _sentences(store().url, project.id, len(records), project.tokenization, tuple(plain))
    with st.container(horizontal=True, gap="small"):
        for one in found:
            st.button(
                f"Add {messages.plain(one.word)} ({one.count:,})",
                key=f"rules_more_like_{chosen}_{one.word}",
                help=messages.plain(first_text_with(one.word, sentences, plain)) if one.count else "No text has it.",
                on_click=_add,
                args=(project, chosen, one.word),
            )


def _near(project: ProjectRecord, named: tuple[str, ...]) -> NearWords:
    records = texts(project)
    plain = tuple(record.text for record in records)
    with st.spinner("Reading word vectors"):
        return _near_words(store().url, project.id, len(records), project.tokenization, named, plain)


@st.cache_resource(show_spinner=False, max_entries=4)
def _near_words(
    url: str, project_id: int, count: int, tokenization: Tokenization, named: tuple[str, ...], _texts: tuple[str, ...]
) -> NearWords:
    sentences = _sentences(url, project_id, count, tokenization, _texts)
    return near_words(sentences, named, lowercase=tokenization.lowercase)


@st.cache_resource(show_spinner=False, max_entries=4)
def _sentences(
    url: str, project_id: int, count: int, tokenization: Tokenization, _texts: tuple[str, ...]
) -> list[tuple[str, ...]]:
    # Texts are only ever added to a project: their number tells whether these are all.
    return words_of_all(_texts, tokenization)


def _decide(project: ProjectRecord) -> None:
    def changed(draft: Draft) -> Draft:
        named = tuple(word for one in undecided(draft.rules_text) for word in one.words)
        return put_texts(draft, decided(draft.rules_text, _near(project, named))[0], draft.logic_text)

    with messages.guard_click("Finding words of like meaning"):
        change_draft(project.id, changed)


def _set_nearness(project: ProjectRecord, asked: LikeWords, nearness: float) -> None:
    def changed(draft: Draft) -> Draft:
        near = _near(project, asked.words)
        return put_texts(draft, with_nearness(draft.rules_text, asked, nearness, near), draft.logic_text)

    with messages.guard_click("Applying the nearness"):
        change_draft(project.id, changed)


def _add(project: ProjectRecord, name: str, word: str) -> None:
    def changed(draft: Draft) -> Draft:
        lowercase = project.tokenization.lowercase
        return put_texts(draft, with_class_words(draft.rules_text, name, [word], lowercase=lowercase), draft.logic_text)

    with messages.guard_click("Adding the word"):
        change_draft(project.id, changed)
