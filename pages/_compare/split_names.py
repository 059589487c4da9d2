"""What a split of the texts is called where figures of it are shown, and what it had a part in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.services.fine_tuning.run_comparison import learned_from_dev
from re2nn_core.services.rule_review.split_roles import deciding_split, figure_name, split_role_of
from re2nn_core.services.values.stored import RunRecord, TextRecord

ALL = "all labelled texts"


def split_namer(run: RunRecord, records: Sequence[TextRecord], chose: str) -> Callable[[str], str]:
    """The name of a split: dev chose `chose`, and a network that learned from dev has seen it."""
    learned = learned_from_dev(run, records)

    def name(split: str) -> str:
        if split == "dev" and not _has_dev(records):
            return f"{ALL} (chose the {chose})"
        if split == "test" and not learned and _has_dev(records):
            return f"test (checks the {chose})"
        named, role = figure_name(split, learned_from_dev=learned), split_role_of(split, chose, learned_from_dev=False)
        return f"{named} ({role})" if role else named

    return name


def dev_name(run: RunRecord, records: Sequence[TextRecord]) -> str:
    """What figures on dev are called; of all labelled texts, which stand in for dev where no text is dev."""
    if not _has_dev(records):
        return ALL
    return figure_name("dev", learned_from_dev=learned_from_dev(run, records))


def held_out_split(run: RunRecord, records: Sequence[TextRecord]) -> str | None:
    """The split whose labelled texts the network has not learned from: dev, else test; None where there is neither."""
    labelled = {record.split for record in records if record.label is not None}
    return deciding_split(labelled, learned_from_dev=learned_from_dev(run, records))


def test_had_part(orders: bool) -> str:
    """What test texts had to do with the changes; `orders`: they are the only ones held out."""
    return "were not used for training, but decide the order of the changes" if orders else "only check the changes"


def _has_dev(records: Sequence[TextRecord]) -> bool:
    """Whether dev texts chose; where there are none, all labelled texts did."""
    return not records or any(record.split == "dev" and record.label is not None for record in records)
