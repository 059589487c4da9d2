"""What training brought, in one sentence above the figures: for labels and slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pages._compare.split_names import ALL
from pages._shared.drawing.markup import escape
from pages._shared.drawing.measures import Measure
from re2nn_core.text.counting import counted

NOTHING = 5e-4  # a change that figures of one digit do not show
_CLEARLY = 5e-3  # half a point
_WHY = " Accept only changes that gain."
Shares = tuple[float | None, float | None, float | None]  # of the written rules, the network, the reconstructed rules


@dataclass(frozen=True)
class Held:
    """The figures that say most of new texts: of how many texts of which split (as it is called), and the shares of the
    written rules, of the rules with every change, and of the network."""

    split: str
    texts: int
    written: float
    reconstructed: float
    network: float

    @property
    def network_is_better(self) -> bool:
        """Whether the network predicts clearly better than the rules of either kind."""
        return self.network - max(self.written, self.reconstructed) >= _CLEARLY


def held_figures(splits: Mapping[str, tuple[int, Shares]], dev: str) -> Held | None:
    """Those of test texts where there are any, else of dev; None where one of the three is missing. `dev` is what
    figures on dev are called, `splits` have how many texts and the figures."""
    split = next((one for one in ("test", "dev") if one in splits), None)
    if split is None or None in splits[split][1]:
        return None
    texts, shares = splits[split]
    written, network, reconstructed = (share or 0.0 for share in shares)
    return Held(ALL if split == "dev" and dev == ALL else split, texts, written, reconstructed, network)


def summary_sentence(held: Held | None, measure: Measure) -> str:
    """The figures in a sentence as HTML; empty where there are none."""
    if held is None:
        return ""
    name = "labelled" if held.split == ALL else held.split
    where = f"{measure.name or 'Accuracy'} on {counted(held.texts, f'{name} text')}"
    shares = (("your rules", held.written), ("with every change", held.reconstructed), ("the network", held.network))
    reported = ", ".join(f"{who} <b>{measure.shown(share)}</b>" for who, share in shares)
    why = _WHY if held.reconstructed - held.written <= -NOTHING else ""
    return f"<span>{escape(where)}: {reported}.{escape(why)}</span>"


def flattering(splits: Collection[str], dev: str, chose: str) -> str:
    """What the figures of each split are worth, in a sentence; `chose` is what was chosen by those of dev and train,
    `dev` what the former are called. Empty where no text had a part in choosing."""
    if "dev" not in splits:
        return ""
    chosen = ALL if dev == ALL else "dev and train" if "train" in splits else "dev"
    message = f"The {chose} were chosen on {chosen}, so the figures there are optimistic."
    return (
        f"{message} Rely on test: its texts were not used."
        if "test" in splits
        else f"{message} There are no test texts."
    )
