"""What a card says of a rule that nobody has written: where it comes from, and what the network predicts beyond."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._rules.analysis import bench_of
from pages._shared.cached.models import network_of
from pages._shared.drawing.markup import escape
from re2nn_core.errors import Re2nnError
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_review.classification.new_rule_check import NewRuleCheck, ProjectTexts, check_new_rule
from re2nn_core.services.values.rules import Rule
from re2nn_core.services.values.stored import RunRecord, TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

_FIRST = (
    "It <b>overrides your label logic</b>: where it matches, no priority and no other formula counts "
    "(<i>first</i> in <i>Label logic</i>)."
)


def origin_of(stamp: str, rule: Rule, run: RunRecord, records: Sequence[TextRecord], tokenization: Tokenization) -> str:
    """A line of HTML. `stamp` names the rule."""
    try:
        found = _check(f"{stamp} {rule.name} {len(records)}", str(run.folder), rule, run, records, tokenization)
    except Re2nnError:  # no network, or none that can be read: the page says so where it is needed
        found = NewRuleCheck(0)
    return f'<div class="re2-learned">{_in_words(found)} {_FIRST}</div>'


@st.cache_data(show_spinner=False, max_entries=100)
def _check(
    stamp: str,
    folder: str,
    _rule: Rule,
    _run: RunRecord,
    _records: Sequence[TextRecord],
    _tokenization: Tokenization,
) -> NewRuleCheck:
    own = bench_of(_run.project_id, _records, _tokenization)
    known = ProjectTexts(_records, own.sentences, own.matched([_rule])[:, 0].tolist())
    return check_new_rule(_rule, known, lambda asked: predict(network_of(_run), asked).predictions, _tokenization)


def _in_words(found: NewRuleCheck) -> str:
    """Which texts that the rule was not made from the network predicts otherwise."""
    begin = "Found in train texts"
    if not found.texts:
        return f"{begin}."
    texts = counted(found.texts, "made-up text" if found.made_up else "text")
    texts += " with a new one" if found.made_up else " outside of train"
    if not found.others:
        return f"{begin}; the network predicts the same for {texts}."
    example = f"{escape(found.label)} for “{escape(found.example)}”"
    share = f"another label for {found.others:,} of {texts}, e.g. {example}"
    if found.most and found.made_up:
        return f"{begin}. <b>The network knows only such words as it has seen</b>: it predicts {share}."
    return f"{begin}; the network predicts {share}."
