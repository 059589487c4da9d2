"""What training brought, in one sentence above the figures: for labels and slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pages._compare.split_names import ALL
from pages._shared.drawing.markup import escape

NOTHING = 5e-4  # a change that figures of one digit do not show
_WHY = " Accept only changes that gain."
Shares = tuple[float | None, float | None, float | None]  # of the written rules, the network, the reconstructed rules


def summary_sentence(splits: Mapping[str, Shares], dev: str, points: str) -> str:
    """The sentence as HTML, of test texts where there are any, else of dev; empty where one of the three is missing.
    `dev` is what figures on dev are called, `points` what is counted."""
    split = next((one for one in ("test", "dev") if one in splits), None)
    if split is None or None in splits[split]:
        return ""
    written, network, reconstructed = (share or 0.0 for share in splits[split])
    reported = _in_words(network - written, reconstructed - written, _where(split, dev), points)
    return f"<span>{escape(reported)}</span>"


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


def _where(split: str, dev: str) -> str:
    if split == "test":
        return "the test texts"
    return ALL if dev == ALL else "the dev texts"


def _in_words(brought: float, kept: float, where: str, points: str) -> str:
    """How the network and the reconstructed rules compare with the written rules."""
    network = "no better" if brought < NOTHING else f"{_number(brought)} {points} better"
    message = f"On {where} the trained network is {network} than the written rules"
    changed = "with every change accepted, the rules are"
    if abs(kept) >= NOTHING:
        how = "better" if kept > 0 else "worse"
        why = _WHY if kept < 0 <= brought else ""
        return f"{message}; {changed} {_number(abs(kept))} {points} {how} than written.{why}"
    return f"{message}." if brought < NOTHING else f"{message}; {changed} as good as written."


def _number(share: float) -> str:
    return f"{100 * share:.1f}"
