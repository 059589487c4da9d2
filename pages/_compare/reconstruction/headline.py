"""What training changed, in one table: written rules, network, the rules reconstructed from it, and the newest version
where it is another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages._compare.accepting.gains import moved
from pages._compare.newest_rules import NewestRules, titles_of
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._compare.reconstruction.summary_sentence import Held, flattering, held_figures
from pages._compare.split_names import ALL, dev_name, held_out_split, split_namer
from pages._shared.catalog import TRAIN
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._shared.drawing.measures import Measure
from pages._shared.drawing.tables import html_table
from re2nn_core.guide.glossary import definition
from re2nn_core.services.fine_tuning.dev_figures import (
    HELD_OUT,
    HELD_OUT_FIFTH,
    IN_WORDS,
    USED_FOR_SUGGESTING,
    figure_today,
)
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.values.stored import RunRecord

Share = float | None


@dataclass(frozen=True)
class SplitFigures:
    """The figures of a split: of the written rules, of the network first and the reconstructed rules last, and how much
    these two agree; `moves`: of how many texts the reconstructed rules predict better than the written ones, and
    worse."""

    split: str
    texts: int
    written: Share
    others: tuple[Share, ...]
    agreement: float | None
    moves: tuple[int, int] = (0, 0)


def draw_figures(
    measure: Measure,
    compared: Compared[Found, System],
    newest: NewestRules[System] | None,
    splits: Sequence[SplitFigures],
    headings: Sequence[str],
    *,
    chose: str,
    arrows: bool = False,
) -> None:
    """Figures of each split; with those of the newest rules where they are others than were trained from. `headings`
    are those of the count, of `others` and of the agreement; `chose`: what was chosen on dev and train; `arrows`:
    whether it is said what ▲ and ▼ mean."""
    name, dev = split_namer(compared.run, compared.records, chose), dev_name(compared.run, compared.records)
    written: list[str] = titles_of(newest)
    head = [f"{measure.name or 'Accuracy'} on", headings[0], *written, *headings[1:]]
    shares = _shares(splits)
    reported = f" ▲ and ▼: points above and below the {escape(written[0])}." if arrows else ""

    orders = held_out_split(compared.run, compared.records) == "test"
    worth = flattering(shares, dev, chose, test_orders=orders)

    def row(of: SplitFigures) -> list[str]:
        def cell(share: Share) -> str:
            gain = None if share is None or of.written is None else share - of.written
            return measure.shown(share, "–") + moved(measure, gain, unit=False)

        cells = [escape(name(of.split)), f"{of.texts:,}", measure.shown(of.written, "–")]
        if newest is not None:
            cells.append(cell(newest.share(of.split)))
        cells.extend(map(cell, of.others))
        return [*cells, "–" if of.agreement is None else f"{of.agreement:.1%}"]

    fine_tuned = _as_on_fine_tune(compared.run, splits)
    table = html_table(head, list(map(row, (*fine_tuned, *splits))), numbers=range(1, len(head)), meanings=_meanings())
    html(
        f'<div class="re2-split-table">{table}'
        + f'<div class="re2-muted">{worth}{reported}</div>'
        + "".join(f'<div class="re2-muted">{_out_of_fold(one, dev)}</div>' for one in fine_tuned)
        + ("" if newest is None else newest.note)
        + "</div>"
    )


def _as_on_fine_tune(run: RunRecord, splits: Sequence[SplitFigures]) -> list[SplitFigures]:
    """The dev figure of the page Fine-tune where it is not of the dev texts: of the rules and the network alone."""
    pairs = (run.result or {}).get("figures") or ()
    others_than_dev = (HELD_OUT, HELD_OUT_FIFTH, USED_FOR_SUGGESTING)
    found = [pair for pair in pairs if figure_today(pair["name"]) in others_than_dev]
    others = (None,) * (len(splits[0].others) - 1) if splits else ()
    return [
        SplitFigures(
            figure_today(pair["name"]), pair.get("texts") or 0, pair["untrained"], (pair["trained"], *others), None
        )
        for pair in found
    ]


def _out_of_fold(one: SplitFigures, dev: str) -> str:
    """What that figure counts, against that of the dev texts, where there are any."""
    row = "" if dev == ALL else " The row dev counts dev texts alone."
    return escape(f"{one.split}, shown on the page {TRAIN.title}: {IN_WORDS[one.split]}.{row}")


def held_of(compared: Compared[Found, System], splits: Sequence[SplitFigures], *, of_texts: bool = True) -> Held | None:
    """The figures on the texts that say most of new ones. `of_texts`: they are shares of texts, and not of spans."""
    shares = _shares(splits)
    counted_splits = {one.split: (one.texts, shares[one.split], SplitMoves(one.texts, *one.moves)) for one in splits}
    return held_figures(counted_splits, dev_name(compared.run, compared.records), of_texts=of_texts)


def _shares(splits: Sequence[SplitFigures]) -> dict[str, tuple[Share, Share, Share]]:
    return {one.split: (one.written, one.others[0], one.others[-1]) for one in splits}


def _meanings() -> dict[str, str]:
    return {"reconstructed rules": definition("Reconstruction"), "agreement with the network": definition("Fidelity")}


def counted_changes(found: Reconstruction | SlotReconstruction, more: Sequence[tuple[str, str, str]]) -> str:
    """How many rules changed and came, and `more` figures of the same kind, as HTML."""
    rules, new = len(found.rules), len(found.new_rules)
    changed = f"{found.changed} of {rules}", "rule changed" if rules == 1 else "rules changed", ""
    came = [count_figure(new, "new rule")] if new else []
    return figures([changed, *came, *more])
