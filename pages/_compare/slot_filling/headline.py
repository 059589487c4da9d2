"""What training changed, in one table: F1 of the written rules, the network, the rules read back from it, and the
newest version where it is another one."""

from __future__ import annotations

from pages._compare.accepting.gains import moved
from pages._compare.newest_rules import NewestRules, titles_of
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.reconstruction.summary_sentence import flattering, lead
from pages._compare.split_names import dev_name, split_namer
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.measures import F1
from pages._shared.drawing.tables import html_table
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SplitScores
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.training.span_scores import SpanScores


def draw_headline(compared: Compared, newest: NewestRules[SlotSystem] | None = None) -> None:
    """F1 of each split. Rules as they were changed stand apart only where there are new ones, too; the newest rules
    where they are others than were trained from."""
    found = compared.found
    new = bool(found.new_rules)
    name = split_namer(compared.run, compared.records, "changes")
    head = ["F1 on", "marked texts", *titles_of(newest), "network", *(["changed rules"] if new else [])]
    head += ["with new rules" if new else "rules read back", "same words as the network"]
    shares = {one.split: (_share(one.original), _share(one.network), _share(one.reconstructed)) for one in found.scores}
    dev = dev_name(compared.run, compared.records)
    html(
        lead(shares, dev, "points of F1")
        + '<div class="re2-split-table">'
        + html_table(
            head,
            [_row(split, name(split.split), newest, new=new) for split in found.scores],
            numbers=range(1, len(head)),
        )
        + f'<div class="re2-muted">{flattering(shares, dev, "changes")}</div>'
        + ("" if newest is None else newest.note)
        + "</div>"
    )


def changed_rules(compared: Compared) -> str:
    """How many rules changed and came, as HTML."""
    found = compared.found
    shown = [
        (f"{found.changed} of {len(found.rules)}", "rule changed" if len(found.rules) == 1 else "rules changed", "")
    ]
    if found.new_rules:
        shown.append((f"{len(found.new_rules)}", "new rules" if len(found.new_rules) > 1 else "new rule", ""))
    if found.new_priorities:
        named = "new priorities" if len(found.new_priorities) > 1 else "new priority"
        shown.append((f"{len(found.new_priorities)}", named, ""))
    return figures(shown)


def _row(split: SplitScores, name: str, newest: NewestRules[SlotSystem] | None, *, new: bool) -> list[str]:
    own = [] if newest is None else [newest.share(split.split)]
    told = [split.network, *([split.changed] if new else []), split.reconstructed]
    return [
        escape(name),
        f"{split.marked:,}",
        _f1(split.original),
        *(F1.shown(share, "–") + _moved(share, split.original) for share in own),
        *(_f1(scores) + _gain(scores, split.original) for scores in told),
        f"{split.agreement_words:.1%}",
    ]


def _share(scores: SpanScores | None) -> float | None:
    return None if scores is None else scores.f1


def _f1(scores: SpanScores | None) -> str:
    return F1.shown(None if scores is None else scores.f1, "–")


def _gain(now: SpanScores | None, before: SpanScores | None) -> str:
    return _moved(None if now is None else now.f1, before)


def _moved(now: float | None, before: SpanScores | None) -> str:
    return "" if now is None or before is None else moved(F1, now - before.f1)
