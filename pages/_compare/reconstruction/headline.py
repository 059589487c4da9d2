"""What training changed, in one table: written rules, network, the rules read back from it, and the newest version
where it is another one."""

from __future__ import annotations

from pages._compare.accepting.gains import moved
from pages._compare.newest_rules import NewestRules, titles_of
from pages._compare.reconstructed.classification import Compared
from pages._compare.reconstruction.summary_sentence import flattering, lead
from pages._compare.split_names import dev_name, split_namer
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.measures import ACCURACY
from pages._shared.drawing.tables import html_table
from re2nn_core.services.rule_reconstruction.classification.reconstruction import SplitAccuracy
from re2nn_core.services.rule_systems.classification.systems import RuleSystem


def draw_headline(compared: Compared, newest: NewestRules[RuleSystem] | None = None) -> None:
    """Figures of each split; with those of the newest rules where they are others than were trained from."""
    name = split_namer(compared.run, compared.records, "thresholds")
    written = titles_of(newest)
    head = ["Accuracy on", "texts", *written, "network", "rules read back", "same answer as the network"]
    shares = {one.split: (one.original, one.network, one.reconstructed) for one in compared.found.accuracy}
    dev = dev_name(compared.run, compared.records)
    html(
        lead(shares, dev, "points")
        + '<div class="re2-split-table">'
        + html_table(
            head,
            [_row(split, name(split.split), newest) for split in compared.found.accuracy],
            numbers=range(1, len(head)),
        )
        + f'<div class="re2-muted">{flattering(shares, dev, "thresholds")} ▲ and ▼: points more and less than the '
        + f"{escape(head[2])}.</div>"
        + ("" if newest is None else newest.note)
        + "</div>"
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


def _row(split: SplitAccuracy, name: str, newest: NewestRules[RuleSystem] | None) -> list[str]:
    own = [] if newest is None else [newest.share(split.split)]
    return [
        escape(name),
        f"{split.texts:,}",
        _percent(split.original),
        *(_percent(share) + _gain(share, split.original) for share in own),
        _percent(split.network) + _gain(split.network, split.original),
        _percent(split.reconstructed) + _gain(split.reconstructed, split.original),
        f"{split.agreement:.1%}",
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _gain(now: float | None, before: float | None) -> str:
    return "" if now is None or before is None else moved(ACCURACY, now - before, unit=False)
