"""The search over the guide: a table of what people ask and the section that has to be among the first three."""

from __future__ import annotations

import pytest

from re2nn_core.guide.search import search_guide

ASK = "questions#"
ASKED = [
    ("priorities", "label-logic#priorities"),
    ("default label", "label-logic#default-label"),
    ("wildcard", "glossary#wildcard"),
    ("out of fold", "glossary#out-of-fold"),
    ("label studio", "comparison#label-studio-prodigy-argilla-doccano-inception"),
    ("rule matches nothing", "troubleshooting#a-rule-matches-nothing"),
    ("why has my rule no effect", "troubleshooting#my-rule-does-nothing-or-has-no-effect"),
    ("my rule does nothing", "troubleshooting#my-rule-does-nothing-or-has-no-effect"),
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
    ("what does held-out mean", "glossary#held-out-text"),
    (
        "difference between dev and test",
        f"{ASK}what-is-the-difference-between-dev-and-test-and-which-figure-should-i-trust",
    ),
    (
        "which figure should i trust",
        f"{ASK}what-is-the-difference-between-dev-and-test-and-which-figure-should-i-trust",
    ),
    ("how do I undo", f"{ASK}how-do-i-undo-or-go-back-to-an-older-version"),
    ("go back to an older version of my rules", f"{ASK}how-do-i-undo-or-go-back-to-an-older-version"),
    ("what is a slot", "glossary#slot"),
    ("what is a label", "glossary#label"),
    ("export my rules", "import-and-export#export"),
    (
        "why is the network better than the rules",
        f"{ASK}why-is-the-network-better-than-my-rules-or-than-the-reconstructed-rules",
    ),
    (
        "why network 76.5 but with every change only 72.5?",
        "review-changes#rules-with-every-change-and-the-network",
    ),
    ("how many texts do I need", f"{ASK}how-many-labelled-texts-do-i-need"),
    ("can I use my own data", f"{ASK}how-do-i-upload-or-import-my-own-texts-and-data"),
    ("upload a file", f"{ASK}how-do-i-upload-or-import-my-own-texts-and-data"),
    ("two rules match the same text", f"{ASK}what-happens-when-two-rules-match-the-same-text"),
    ("how do i share a project with a colleague", f"{ASK}how-do-i-share-a-project-with-a-colleague"),
    ("why is my accuracy so low", f"{ASK}how-do-i-raise-an-accuracy-that-is-low"),
    ("how long does training take", f"{ASK}how-long-does-training-take-and-what-is-slow"),
    ("why did training stop early", f"{ASK}why-did-training-stop-early"),
    ("what does $* mean", f"{ASK}what-does-mean-and-why-does-a-rule-not-match-a-longer-sentence"),
    ("match a date", f"{ASK}how-do-i-match-numbers-dates-names-or-misspelled-words"),
    ("typo in a text", f"{ASK}how-do-i-match-numbers-dates-names-or-misspelled-words"),
    ("is my data sent to the internet", f"{ASK}do-i-need-a-gpu-or-the-internet-is-my-data-sent-anywhere"),
    ("what does accept do", "review-changes#decide-accept-or-reject-a-change"),
    ("what does before label logic mean", f"{ASK}what-does-before-label-logic-mean"),
    (
        "why is accuracy higher than the texts matched by a rule",
        f"{ASK}why-is-accuracy-higher-than-the-share-of-texts-that-a-rule-matches",
    ),
    ("keyboard shortcuts", f"{ASK}which-keyboard-shortcuts-are-there"),
    (
        "use my trained model",
        f"{ASK}how-do-i-use-or-download-the-trained-model-why-are-predictions-still-those-of-the-rules",
    ),
    (
        "why are the predictions still those of the rules",
        f"{ASK}how-do-i-use-or-download-the-trained-model-why-are-predictions-still-those-of-the-rules",
    ),
    ("how do i add a new label", f"{ASK}how-do-i-add-or-rename-a-rule-a-label-or-a-slot"),
    ("how do i rename a rule", f"{ASK}how-do-i-add-or-rename-a-rule-a-label-or-a-slot"),
    ("what is an automaton", "glossary#automaton"),
    ("how can i test a rule", "sentence-tests#sentence-tests"),
    (
        "difference between rules with every change and the network",
        "review-changes#rules-with-every-change-and-the-network",
    ),
    ("rules with every change", "review-changes#rules-with-every-change-and-the-network"),
    ("what is a rule", "glossary#rule"),
    ("how do I import a csv", "import-and-export#import-a-file"),
    ("why is my rule red", f"{ASK}why-is-a-rule-red-why-is-a-number-red"),
    ("what does the number beside a rule mean", f"{ASK}what-does-the-number-next-to-a-rule-mean"),
    ("what is out-of-fold", "glossary#out-of-fold"),
    ("why did accuracy fall", f"{ASK}why-did-accuracy-fall-drop-or-get-worse"),
    ("how do I share with my team", f"{ASK}how-do-i-share-a-project-with-a-colleague"),
    ("what is dev", "glossary#dev"),
    ("export predictions", f"{ASK}how-do-i-export-or-download-predictions"),
    ("gpu", "gpu#train-on-a-gpu"),
    ("phone numbers", f"{ASK}how-do-i-match-a-phone-number-an-amount-or-a-code"),
    ("left out", f"{ASK}why-is-something-left-out"),
    ("why is a change left out", f"{ASK}why-is-something-left-out"),
    ("what does the network get right", f"{ASK}what-does-the-network-get-right-that-my-rules-do-not"),
    ("delete a project", f"{ASK}how-do-i-delete-or-rename-a-project"),
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
