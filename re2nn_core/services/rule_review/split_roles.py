"""What each split had a part in when a network was read back as rules, and what its figures therefore prove.

One place for the page Compare and for `re2nn reconstruct`, so that both say the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM
from re2nn_core.services.rule_review.evidence.enough_texts import more_texts_in_words
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves, loses, more_than_chance
from re2nn_core.text.counting import counted

# A smaller change would be shown as none.
NO_CHANGE = 0.0005
NETWORK_HAS_LEARNED = "also used for training"
APART = "held-out"
NO_TEST = "There are no test texts, so the effect on new texts is unknown."
DEV_ALONE = "Dev improves and test does not: the changes were chosen on train and dev and may fit only these texts."
DEV_LOSES = "Dev gets worse: fewer of its predictions are correct than before."
LOSES = "Test gets worse: fewer of its predictions are correct than before."
LEARNED_DEV = (
    "Dev texts were also used for training (cross-validation over all labelled texts), so the network's own figure on "
    "them proves little."
)


def network_learned_from_dev(figures: Mapping[str, Any]) -> bool:
    """Whether dev texts were learned from, by the figures that a model's folder keeps of its training."""
    return bool(figures.get("turns") or figures.get("from_dev"))


def deciding_split(labelled: Collection[str | None], *, learned_from_dev: bool) -> str | None:
    """The split by which changes are judged first, of those that have labels: one that the network has not learned
    from. Test is the last resort, since what it chose it cannot prove; None where there is neither."""
    if "dev" in labelled and not learned_from_dev:
        return "dev"
    return "test" if "test" in labelled else None


def held_name(split: str, texts: int) -> str:
    """What the texts that decide are called: `102 held-out test texts`. Dev texts chose what was reconstructed, and so
    they are not called held-out, though the network was not trained on them. Empty without a split."""
    return counted(texts, f"{APART} test text" if split == "test" else f"{split} text") if split else ""


def split_role_of(split: str, chose: str, *, learned_from_dev: bool) -> str:
    """What a split had a part in, in words; `chose` is what was chosen on dev. Empty for a split without a part."""
    seen = f"; {NETWORK_HAS_LEARNED}" if learned_from_dev else ""
    return {"dev": f"chose the {chose}{seen}", "train": "helped to choose", "test": APART}.get(split, "")


def figure_name(split: str, *, learned_from_dev: bool) -> str:
    """The name of a split's figures, as training gives it too."""
    return LEARNED_FROM if split == "dev" and learned_from_dev else split


def dev_alone_gains(gains: Mapping[str, float]) -> bool:
    """Whether dev gains by the changes and test does not; `gains` are those of each split, as shares of 1."""
    return "test" in gains and gains.get("dev", 0.0) >= NO_CHANGE and gains["test"] < NO_CHANGE


def dev_loses(gains: Mapping[str, float], moves: Mapping[str, SplitMoves]) -> bool:
    """Whether dev loses by the changes, and more than chance may do; `moves` are those of the splits in `gains`."""
    return gains.get("dev", 0.0) < -NO_CHANGE and loses(moves["dev"])


def test_evidence(gains: Mapping[str, float], moves: Mapping[str, SplitMoves]) -> tuple[str, bool]:
    """What test texts tell against the changes, in sentences, and whether it is more than chance may do. Empty where
    they tell nothing against them. `moves` are those of the splits that `gains` has."""
    if gains["test"] < -NO_CHANGE:
        if loses(moves["test"]):
            return LOSES, True
        return f"{LOSES.removesuffix('.')}, but the difference is not statistically significant.", False
    if not dev_alone_gains(gains):
        return "", False
    dev = moves["dev"]
    on_dev = f"on dev {moves_in_words(dev)} of {dev.texts:,}"
    if not more_than_chance(dev, moves["test"]):
        return f"Dev improves ({on_dev}), but the difference is not statistically significant.", False
    return f"{DEV_ALONE} The difference is statistically significant ({on_dev}).", True


def moves_in_words(moves: SplitMoves) -> str:
    """`3 better and 0 worse`."""
    return f"{moves.fixed:,} better and {moves.broken:,} worse"


@dataclass(frozen=True)
class SplitNotes:
    """What has to be known before changes are believed: `warnings`, and `remarks` on what may be chance."""

    warnings: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def split_notes_of(
    gains: Mapping[str, float], moves: Mapping[str, SplitMoves], *, learned_from_dev: bool
) -> SplitNotes:
    """The same for a command, which shows no texts."""
    warnings = (LEARNED_DEV,) if learned_from_dev else ()
    if dev_loses(gains, moves):
        warnings = (*warnings, DEV_LOSES)
    if "test" not in gains:
        return SplitNotes((*warnings, NO_TEST))
    against, much = test_evidence(gains, moves)
    test = moves["test"]
    if not against:
        more = more_texts_in_words(test)
        thin = f"Test gains ({moves_in_words(test)} of {test.texts:,} texts), which may be chance. {more}."
        return SplitNotes(warnings, (thin,) if more else ())
    message = f"On test, which had no part in choosing: {moves_in_words(test)} of {test.texts:,} texts. {against}"
    return SplitNotes((*warnings, message)) if much else SplitNotes(warnings, (message,))


def gains_of(figures: Iterable[tuple[str, float | None, float | None]]) -> dict[str, float]:
    """What each split gains, of (split, before, after); a split without figures is left out."""
    return {split: now - was for split, was, now in figures if was is not None and now is not None}


def split_data(split: str, *, learned_from_dev: bool) -> dict[str, Any]:
    """A split's part, for programs."""
    return {
        "name": figure_name(split, learned_from_dev=learned_from_dev),
        "part": split_role_of(split, "changes", learned_from_dev=False),
        "learned_from": split == "train" or (split == "dev" and learned_from_dev),
    }


def roles_in_words(splits: Iterable[str], chose: str, *, learned_from_dev: bool) -> str:
    """What the splits had a part in, in a sentence."""
    roles = ((split, split_role_of(split, chose, learned_from_dev=learned_from_dev)) for split in splits)
    reported = [f"{split} {'was ' if role == APART else ''}{role}" for split, role in roles if role]
    return f"{', '.join(reported).capitalize()}." if reported else ""


def held_out_places(
    splits: Sequence[str | None], labelled: Sequence[bool], *, learned_from_dev: bool
) -> tuple[str | None, frozenset[int]]:
    """The split whose labelled texts the network has not learned from, None where there is none, and their places."""
    own = {split for split, known in zip(splits, labelled, strict=True) if known}
    split = deciding_split(own, learned_from_dev=learned_from_dev)
    if split is None:
        return None, frozenset()
    return split, frozenset(
        place for place, (one, known) in enumerate(zip(splits, labelled, strict=True)) if known and one == split
    )


def places_of_test(texts: Sequence[tuple[str, str | None]], held: Collection[int]) -> frozenset[int]:
    """Where test texts are that are not `held` out for the decision, of texts with their splits."""
    return frozenset(place for place, (_, split) in enumerate(texts) if split == "test").difference(held)


def places_by_split(texts: Sequence[tuple[str | None, bool]]) -> list[list[int]]:
    """Where the labelled texts of dev and of test are, of texts with their split and whether they are labelled."""
    places = ([at for at, (own, known) in enumerate(texts) if known and own == split] for split in ("dev", "test"))
    return list(filter(None, places))
