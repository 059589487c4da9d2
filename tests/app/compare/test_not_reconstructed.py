"""What the page Compare says of what was not read back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pages._compare.reconstruction import not_reconstructed


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    shown: list[str] = []
    monkeypatch.setattr(not_reconstructed, "html", shown.append)
    return shown


IN_WORDS = {
    "all was read back": ((), []),
    "one rule": (("a",), ["<b>1 rule could not be reconstructed:</b> a. It is unchanged"]),
    "many rules": (
        tuple("abcdefgh"),
        ["<b>8 rules could not be reconstructed:</b> a, b, c, d, e, f and 2 more. They are unchanged"],
    ),
    "a name that is a tag": (("<b>",), ["<b>1 rule could not be reconstructed:</b> &lt;b&gt;. It"]),
}


@pytest.mark.parametrize("case", IN_WORDS)
def test_what_was_not_read_back_is_said(case: str, drawn: list[str]) -> None:
    rules, said = IN_WORDS[case]
    not_reconstructed.draw_not_reconstructed(rules)
    _each_begins(drawn, said)


def test_a_network_nearer_to_rules_is_trained_without_its_linear_layer(drawn: list[str]) -> None:
    """An objective alone was named, with which words have weights, too."""
    not_reconstructed.draw_beyond_rules(("the linear layer over the whole text (the weights of words)",), advised=True)
    assert "Train for “interpretable rules” without “Linear layer” on Fine-tune" in drawn[0]


def test_words_are_listed_by_label(drawn: list[str]) -> None:
    not_reconstructed.draw_word_weights({"fare": ("price", "<b>"), "meal": ()})
    assert "<td>fare</td><td>price, &lt;b&gt;</td>" in drawn[0]
    assert "meal" not in drawn[0]
    not_reconstructed.draw_word_weights({})
    assert len(drawn) == 1


def _each_begins(drawn: Sequence[str], said: Sequence[str]) -> None:
    assert len(drawn) == len(said)
    for reported, begins in zip(drawn, said, strict=True):
        assert reported.startswith(f'<div class="re2-warn">{begins}')


def test_figures_name_what_the_network_uses_beyond_rules_once(drawn: list[str]) -> None:
    """A warning named the same parts again, above rules that it called those below."""
    not_reconstructed.draw_beyond_rules(("weights between 0 and 1", "word vectors", "gates (GRU)"), advised=False)
    assert drawn == [
        '<div class="re2-muted">What the network uses and no rule can express: weights between 0 and 1 (a rule matches '
        "or does not), word vectors (words of like meaning count alike) and gates (GRU).</div>"
    ]
