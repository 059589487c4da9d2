"""Words of like meaning under Word classes: what the rules' `@~word:0.6@` have, and more words for a class or for
alternatives of a rule."""

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
from re2nn_core.services.rule_writing.word_alternatives import (
    WordAlternatives,
    alternatives_of_words,
    with_alternative,
)
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.tokenization import Tokenization, words_of_all

_SHOWN = 12  # words
_WORDS_NAMED = 2  # of alternatives


def draw_like_words(project: ProjectRecord, draft: Draft, ruleset: RuleSet | None) -> None:
    """The classes of like words, and more words for the other classes and for alternatives of rules."""
    open_ones = undecided(draft.rules_text)
    for asked in (one for one in used_like_words(draft.rules_text) if one not in open_ones):
        with messages.guard("Finding words of like meaning"):
            _draw_class(project, draft, asked)
    if ruleset is not None:
        with messages.guard("Finding words of like meaning"):
            _draw_more(project, draft, ruleset)


def _draw_class(project: ProjectRecord, draft: Draft, asked: LikeWords) -> None:
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


def offer_like_words(project: ProjectRecord, draft: Draft) -> None:
    """Right below the editor: a button that finds the words of classes of like words that have none yet."""
    asked = undecided(draft.rules_text)
    if asked:
        st.button(
            f"Find the words of {join_names([f'@{one.name}@' for one in asked])}",
            key="rules_like_find",
            icon=":material/search:",
            type="primary",
            on_click=_decide,
            args=(project,),
        )


def _draw_more(project: ProjectRecord, draft: Draft, ruleset: RuleSet) -> None:
    classes = classes_of_words(ruleset)
    alternatives = alternatives_of_words(draft.rules_text)
    if not classes and not alternatives:
        return
    chosen = st.selectbox(
        "More words like those of",
        [*classes, *alternatives],
        index=None,
        format_func=_named,
        placeholder="Choose a class, or alternatives of a rule",
        key="rules_more_like",
        help="Words whose vectors are nearest to those of the class or the alternatives: first words of the texts, "
        "then words that no text has.",
    )
    if chosen is None:
        return
    # What is chosen may be as it was before a word came to it.
    now = {one: one.words for one in alternatives}
    words = classes[chosen] if isinstance(chosen, str) else now.get(chosen, chosen.words)
    found = more_like(words, _near(project, ()), _SHOWN)
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
                key=f"rules_more_like_{_key(chosen)}_{one.word}",
                help=messages.plain(first_text_with(one.word, sentences, plain)) if one.count else "No text has it.",
                on_click=_add,
                args=(project, chosen, one.word),
            )


Group = str | WordAlternatives  # the name of a class, or alternatives of a rule


def _named(group: Group) -> str:
    if isinstance(group, str):
        return f"@{group}@"
    # The same with a word more behind these: a choice is known by what it is called.
    return f"{group.rule or 'rule'}: ( {' | '.join(group.words[:_WORDS_NAMED])} … )"


def _key(group: Group) -> str:
    return group if isinstance(group, str) else f"{group.rule}_{group.number}"


def _near(project: ProjectRecord, named: tuple[str, ...]) -> NearWords:
    with st.spinner("Reading word vectors"):
        return _near_unseen(project, named)


def _near_unseen(project: ProjectRecord, named: tuple[str, ...]) -> NearWords:
    """The same for what a click calls: what it draws would take the place of the page's first element, its style."""
    records = texts(project)
    plain = tuple(record.text for record in records)
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
        return put_texts(draft, decided(draft.rules_text, _near_unseen(project, named))[0], draft.logic_text)

    with messages.guard_click("Finding words of like meaning"):
        change_draft(project.id, changed)


def _set_nearness(project: ProjectRecord, asked: LikeWords, nearness: float) -> None:
    def changed(draft: Draft) -> Draft:
        near = _near_unseen(project, asked.words)
        return put_texts(draft, with_nearness(draft.rules_text, asked, nearness, near), draft.logic_text)

    with messages.guard_click("Applying the nearness"):
        change_draft(project.id, changed)


def _add(project: ProjectRecord, group: Group, word: str) -> None:
    def changed(draft: Draft) -> Draft:
        if isinstance(group, str):
            lowercase = project.tokenization.lowercase
            rules_text = with_class_words(draft.rules_text, group, [word], lowercase=lowercase)
        else:
            rules_text = with_alternative(draft.rules_text, group, word)
        return put_texts(draft, rules_text, draft.logic_text)

    with messages.guard_click("Adding the word"):
        change_draft(project.id, changed)
