"""What training changed, in one table: written rules, network, and the rules read back from it."""

from __future__ import annotations

from pages._compare.lead import lead
from pages._compare.read import Compared
from pages._compare.split_names import dev_name, split_namer
from pages._shared.markup import difference, escape, figures, html
from pages._shared.tables import html_table
from re2nn_core.services.reconstruction import SplitAccuracy


def draw_headline(compared: Compared) -> None:
    """Figures of each split."""
    name = split_namer(compared.run, compared.records, "thresholds")
    shares = {one.split: (one.original, one.network, one.reconstructed) for one in compared.found.accuracy}
    html(
        lead(shares, dev_name(compared.run, compared.records), "points")
        + '<div class="re2-split-table">'
        + html_table(
            ["Accuracy on", "texts", "written rules", "network", "rules read back", "same answer as the network"],
            [_row(split, name(split.split)) for split in compared.found.accuracy],
            numbers=(1, 2, 3, 4, 5),
        )
        + '<div class="re2-muted">▲ and ▼: points more and less than the written rules.</div></div>'
    )


def changed_rules(compared: Compared) -> str:
    """How many rules changed, as HTML."""
    found = compared.found
    told = [
        (f"{found.changed} of {len(found.rules)}", "rule changed" if len(found.rules) == 1 else "rules changed", "")
    ]
    if found.new_rules:
        told.append((f"{len(found.new_rules)}", "new rule" if len(found.new_rules) == 1 else "new rules", ""))
    if found.dropped:
        told.append((f"{len(found.dropped)}", "dropped", ""))
    if found.edges:
        arrows, words = ("arrow" if found.edges == 1 else "arrows"), ("word" if found.words == 1 else "words")
        told += [
            (f"{found.edges:,}", arrows, ""),
            (f"{found.words:,}", f"{words} on them came or went", ""),
        ]
    return figures(told)


def _row(split: SplitAccuracy, name: str) -> list[str]:
    return [
        escape(name),
        f"{split.texts:,}",
        _percent(split.original),
        _percent(split.network) + _gain(split.network, split.original),
        _percent(split.reconstructed) + _gain(split.reconstructed, split.original),
        f"{split.agreement:.1%}",
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _gain(now: float | None, before: float | None) -> str:
    return "" if now is None or before is None else difference(100 * (now - before), digits=1)
