"""What of a network reconstructed rules do not say: parts that are no rule, and rules that could not be
reconstructed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages._shared.catalog import TRAIN
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from pages._train.settings import OBJECTIVE_NAMES
from re2nn_core.services.rule_reconstruction.not_reconstructed import beyond_in_words
from re2nn_core.services.values.networks import SETTING_TITLES as TITLES
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_MOST = 6
_READS_BACK = (
    f" Train for “{OBJECTIVE_NAMES['interpretable']}” without “{TITLES['linear']}” on {TRAIN.title} to get a network "
    "nearer to rules."
)


def draw_beyond_rules(parts: Sequence[str], *, advised: bool) -> None:
    """What the network predicts by besides rules; `parts`: as `beyond_rules` names them. `advised`: a network with
    fewer of them can be trained."""
    advice = _READS_BACK if advised else ""
    html(f'<div class="re2-muted">{escape(beyond_in_words(parts))}{advice}</div>')


def draw_word_weights(strongest: Mapping[str, Sequence[str]]) -> None:
    """The words that a linear layer gives the largest weights, by label; nothing where it has none."""
    rows = [(escape(label), escape(", ".join(words))) for label, words in strongest.items() if words]
    if rows:
        table = html_table(["Label", "Words with the largest weights in the linear layer"], rows)
        html(f'<div class="re2-tall">{table}</div>')


def draw_not_reconstructed(rules: Sequence[str]) -> None:
    """`rules`: names of those that stand as written since what the network made of them could not be written; nothing
    without any."""
    if rules:
        they = "It is unchanged" if len(rules) == 1 else "They are unchanged"
        html(
            f"""<div class="re2-warn"><b>{counted(len(rules), "rule")} could not be reconstructed:</b> """
            f"{escape(first_names(rules, _MOST))}. {they}; the network may predict differently there.</div>"
        )
