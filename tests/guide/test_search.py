"""The search over the guide: a table of what people ask and the section that has to be among the first three."""

from __future__ import annotations

import pytest

from re2nn_core.guide.search import search_guide

ASKED = [
    ("priorities", "label-logic#priorities"),
    ("default label", "label-logic#default-label"),
    ("wildcard", "glossary#wildcard"),
    ("out of fold", "glossary#out-of-fold"),
    ("label studio", "comparison#label-studio-prodigy-argilla-doccano-inception"),
    ("rule matches nothing", "troubleshooting#a-rule-matches-nothing"),
    ("why has my rule no effect", "troubleshooting#my-rule-does-nothing"),
    ("my rule does nothing", "troubleshooting#my-rule-does-nothing"),
    ("a new rule changes nothing", "label-logic#why-a-rule-has-no-effect"),
    ("openid", "sign-in#openid-connect"),
    ("chinese", "troubleshooting#chinese-text"),
    ("Fine-tune", "pages#fine-tune"),
    ("tokens", "glossary#token"),
    ("why does a learned rule list words of the test texts?", "questions#does-a-learned-rule-know-words-of-test-texts"),
    ("why is dev on fine-tune another figure than on compare", "questions#why-are-there-several-figures-on-dev"),
    ("what happens to a text that no rule matches", "questions#what-does-a-text-get-that-no-rule-matches"),
    ("should i accept a change that fixes two texts", "questions#should-i-accept-a-change-that-fixes-two-texts"),
    ("how do i train on a gpu", "gpu#train-on-a-gpu"),
    ("where do i see what the network learned", "review-changes#review-learned-changes"),
]


@pytest.mark.parametrize(("query", "first"), ASKED)
def test_what_people_ask_comes_first(query: str, first: str) -> None:
    found = [f"{section.topic}#{section.anchor}" for section in search_guide(query)]
    assert first in found[:3]


def test_sections_that_hold_all_words_come_before_those_that_hold_some() -> None:
    found = search_guide("accounts backup passwords")
    assert found
    text = f"{found[0].title} {found[0].text}".lower()
    assert all(word in text for word in ("accounts", "backup", "passwords"))


@pytest.mark.parametrize("query", ["", "   ", "?!", "zzyzx"])
def test_nothing_is_found_for_nothing(query: str) -> None:
    assert search_guide(query) == ()


def test_no_more_than_the_limit() -> None:
    assert len(search_guide("rules", limit=3)) == 3
