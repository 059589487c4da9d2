"""What of a network the rules on the page do not say: parts that are no rule, and rules that could not be
reconstructed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages._shared.catalog import TRAIN
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from pages._train.settings import OBJECTIVE_NAMES
from re2nn_core.services.rule_reconstruction.not_reconstructed import VECTORS, WEIGHTS
from re2nn_core.services.values.networks import SETTING_TITLES as TITLES
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, join_names

_MOST = 6
_READS_BACK = (
    f"Train for “{OBJECTIVE_NAMES['interpretable']}” without “{TITLES['linear']}” on {TRAIN.title} to get a network "
    "without it."
)

_MEANS = {
    WEIGHTS: "weights between 0 and 1 (a rule matches or does not)",
    VECTORS: "word vectors (words of like meaning count alike)",
}


def draw_beyond_rules(parts: Sequence[str]) -> None:
    """What the network predicts by besides rules; `parts`: as `beyond_rules` names them."""
    named = join_names([_MEANS.get(part, part) for part in parts])
    html(f'<div class="re2-muted">What the network uses and no rule can express: {escape(named)}.</div>')


def draw_word_weights(strongest: Mapping[str, Sequence[str]]) -> None:
    """The words that a linear layer gives the largest weights, by label; nothing where it has none."""
    rows = [(escape(label), escape(", ".join(words))) for label, words in strongest.items() if words]
    if rows:
        table = html_table(["Label", "Words with the largest weights in the linear layer"], rows)
        html(f'<div class="re2-tall">{table}</div>')


def draw_not_reconstructed(parts: Sequence[str], rules: Sequence[str] = (), *, has_rules_network: bool = False) -> None:
    """Said where the rules are reconstructed, nothing where all was. `parts`: as `parts_not_read_back` names them;
    `rules`: names of those that stand as written since what the network made of them could not be written;
    `has_rules_network`: a network without these parts goes with it, so that no other need be trained."""
    if parts:
        advice = "" if has_rules_network else f" {_READS_BACK}"
        html(
            f'<div class="re2-warn"><b>Not reconstructed:</b> {escape(join_names(parts))}. Rules cannot '
            f"express this, so the network and the rules below can predict differently.{advice}</div>"
        )
    if rules:
        they = "It is unchanged" if len(rules) == 1 else "They are unchanged"
        html(
            f"""<div class="re2-warn"><b>{counted(len(rules), "rule")} could not be reconstructed:</b> """
            f"{escape(first_names(rules, _MOST))}. {they}; the network may predict differently there.</div>"
        )
