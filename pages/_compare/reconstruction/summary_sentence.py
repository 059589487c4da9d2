"""What training brought, in one sentence above the figures: for labels and slots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from pages._compare.accepting.gains import NO_GAIN, Gain
from pages._compare.split_names import ALL, test_had_part
from pages._shared.drawing.markup import escape, explained
from pages._shared.drawing.measures import Measure
from re2nn_core.services.rule_review.evidence.enough_texts import gain_interval, interval_in_points, more_texts_in_words
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

NOTHING = 5e-4  # a change that figures of one digit do not show
_CLEARLY = 5e-3  # half a point
_EVERY = "Your rules with all changes that are listed below, the good ones and the bad ones."
_CHOSEN = "Your rules with those of the changes below that are recommended or accepted."
_INTERVAL = "By how many points the figure on new texts of this kind changes, by these texts: the 95% interval."
_NETWORK = "The trained network itself, which adds up many small weights. Rules can only keep the strong ones."
Shares = tuple[float | None, float | None, float | None]  # of the written rules, the network, the reconstructed rules


@dataclass(frozen=True)
class Held:
    """The figures that say most of new texts: of how many texts of which split (as it is called), and the shares of the
    written rules, of the rules with every change, and of the network. `gain`: that of the changes that
    `reconstructed` is of. `newest`: the share of the newest version where it
    is another one than was trained from, and `versions`: what these two are called. `changes`: how many there are;
    `chosen`: what the changes are called that `reconstructed` is of, where these are not all; `beyond`: what the
    network uses and rules have not; `trained`: the network was trained on these texts."""

    split: str
    texts: int
    written: float
    reconstructed: float
    network: float
    gain: Gain = NO_GAIN
    newest: float | None = None
    changes: int | None = None
    chosen: str = ""
    versions: tuple[str, str] | None = None
    beyond: tuple[str, ...] = ()
    trained: bool = False

    @property
    def now(self) -> float:
        """The share of the rules as they are now, as far as it is known."""
        return self.written if self.newest is None else self.newest

    @property
    def network_gains(self) -> bool:
        """Whether the network predicts clearly better than the rules with every change."""
        return self.network - self.reconstructed >= _CLEARLY

    @property
    def network_is_better(self) -> bool:
        """Whether the network predicts clearly better than the rules of any kind."""
        return self.network - max(self.written, self.reconstructed, self.now) >= _CLEARLY


def held_figures(
    splits: Mapping[str, tuple[int, Shares, SplitMoves]], dev: str, *, of_texts: bool = True
) -> Held | None:
    """Those of test texts where there are any, else of dev; None where one of the three is missing. `dev` is what
    figures on dev are called, `splits` have how many texts, the figures, and what every change together moves.
    `of_texts`: figures are shares of texts, and not of spans."""
    split = next((one for one in ("test", "dev") if one in splits), None)
    if split is None or None in splits[split][1]:
        return None
    texts, shares, moves = splits[split]
    written, network, reconstructed = (share or 0.0 for share in shares)
    name = ALL if split == "dev" and dev == ALL else split
    interval = gain_interval(moves) if of_texts and (moves.fixed or moves.broken) else None
    gain = Gain(moves, interval)
    return Held(name, texts, written, reconstructed, network, gain, trained=split == "dev" != dev)


def with_newest(held: Held, versions: tuple[str, str], share: Callable[[str], float | None]) -> Held:
    """With the figure of the newest rules, where these are others than were trained from; `versions` is what those and
    these are called, `share` the figure of a split, None where it is unknown."""
    return replace(held, newest=share(split_measured(held)), versions=versions)


def split_measured(held: Held) -> str:
    """The split that its figures are of."""
    return "dev" if held.split == ALL else held.split


def with_chosen(
    held: Held,
    measured: Mapping[str, tuple[float, float]],
    gain: Gain,
    recommended: int,
    accepted: int,
) -> Held:
    """With the figures of the rules with the changes that are recommended or accepted alone, where there are so many;
    `measured`: by split those of the rules, and with these changes; `gain`: theirs."""
    shares = measured.get(split_measured(held))
    if shares is None or not recommended + accepted:
        return held
    kinds = " and ".join(name for name, count in (("accepted", accepted), ("recommended", recommended)) if count)
    count = recommended + accepted
    called = f"the {kinds} change" if count == 1 else f"the {count:,} {kinds} changes"
    written = shares[0] if held.versions is None else held.written
    return replace(held, written=written, reconstructed=shares[1], gain=gain, chosen=called)


def summary_sentence(held: Held | None, measure: Measure) -> str:
    """The figures in a sentence as HTML; empty where there are none."""
    if held is None:
        return ""
    name = "labelled" if held.split == ALL else held.split
    where = f"{measure.name or 'Accuracy'} on {counted(held.texts, f'{name} text')}"
    where += " (used for training)" if held.trained else ""

    def share(who: str, share: float, meaning: str = "") -> str:
        return f"{explained(who, meaning)} <b>{measure.shown(share)}</b>"

    network = share("the network", held.network, f"{_NETWORK}{_beyond(held)}") + _no_better(held)
    if held.versions is not None:  # what became of the changes is in the newest rules
        newest = [] if held.newest is None else [share(f"your rules {held.versions[1]}", held.newest)]
        changed = share(f"with {held.chosen}", held.reconstructed, _CHOSEN) + _interval(held)
        written, chosen = share(held.versions[0], held.written), [changed] if held.chosen else []
        more = _needed(held) if held.chosen else ""
        return f"<span>{escape(where)}: {', '.join((*newest, *chosen, written, network))}.{more}</span>"
    rules = share("your rules", held.written)
    if held.changes == 0:
        return f"<span>{escape(where)}: {rules}, {network}.</span>"
    changes, meaning = (held.chosen, _CHOSEN) if held.chosen else (_changes(held.changes), _EVERY)
    every = share(f"with {changes}", held.reconstructed, meaning) + (_balance(held) or _interval(held))
    return f"<span>{escape(where)}: {', '.join((rules, every, network))}.{_needed(held)}</span>"


def _interval(held: Held) -> str:
    """Where the gain lies on new texts; of texts that the network was trained on it is not known."""
    interval = None if held.trained else held.gain.interval
    return "" if interval is None else f" ({explained(interval_in_points(interval), _INTERVAL)})"


def _needed(held: Held) -> str:
    """How many more texts would tell whether the changes gain; nothing where these do."""
    interval = held.gain.interval
    sure = interval is not None and interval[0] > 0
    more = "" if held.trained or sure else more_texts_in_words(held.gain.moves)
    return f" {escape(more)}." if more else ""


def _no_better(held: Held) -> str:
    return " (no better than your rules on these texts)" if held.network - held.now < NOTHING else ""


def _beyond(held: Held) -> str:
    """Why the network is better than the rules."""
    return f" It also uses {join_names(held.beyond)}: view Figures." if held.network_gains and held.beyond else ""


def _changes(count: int | None) -> str:
    if count is None:
        return "every change"
    return "the change" if count == 1 else f"all {count:,} changes"


def _balance(held: Held) -> str:
    """Why every change together gains nothing, where as many texts become correct as become incorrect."""
    better, worse = held.gain.moves.fixed, held.gain.moves.broken
    same = better == worse > 0 and abs(held.reconstructed - held.written) < NOTHING
    return f" ({better:,} become correct, {worse:,} incorrect)" if same else ""


def flattering(splits: Collection[str], dev: str, chose: str, *, test_orders: bool = False) -> str:
    """What the figures of each split are worth, in a sentence; `chose` is what was chosen by those of dev and train,
    `dev` what the former are called. `test_orders`: test texts decide the order of the changes. Empty where no text
    had a part in choosing."""
    if "dev" not in splits:
        return ""
    chosen = ALL if dev == ALL else "dev and train" if "train" in splits else "dev"
    message = f"The {chose} were chosen on {chosen}, so the figures there are optimistic."
    return (
        f"{message} Rely on test: its texts {test_had_part(test_orders)}."
        if "test" in splits
        else f"{message} There are no test texts."
    )
