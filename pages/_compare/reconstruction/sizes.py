"""The size of the reconstruction: how well it does with some of its changes, by the words that they add, and the choice
of one size. All else on the page is of that size: the queue, the rules, the figures and what is exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages._compare.reconstructed.shared import Compared, Found, System
from pages._compare.split_names import ALL, dev_name
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import html
from pages._shared.drawing.measures import Measure
from re2nn_core.plots.sizes import SizePoint, size_curve
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SplitScores
from re2nn_core.services.rule_review.sizes import SPLITS, ReconstructionSize
from re2nn_core.text.counting import counted

Sizes = Sequence[ReconstructionSize[Any]]
OfSize = Callable[[Compared[Found, System], ReconstructionSize[Any]], Compared[Found, System]]
_HELP = (
    "Your rules with some of the changes: those that are worth most for the words that they add come first. The queue, "
    "the rules, the figures and the files to export are those of the size that you choose."
)
_CHOSE_TOO = "These texts chose the changes, too: expect less on new texts."


def of_chosen_size(found: Compared[Found, System], of_size: OfSize[Found, System]) -> Compared[Found, System]:
    """The comparison with the changes of the size that is chosen, at first all of them."""
    size = _chosen(found)
    if size is None or size is found.sizes[-1]:
        return found
    key = found.run.folder.as_posix(), found.found.rules_text, size.names
    return _of_size(key, lambda: of_size(found, size))  # type: ignore[no-any-return]


@st.cache_resource(show_spinner=False, max_entries=16)
def _of_size(key: tuple[object, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def _key(found: Compared[Any, Any]) -> str:
    return f"compare_size_{found.run.id}"


def _chosen(found: Compared[Any, Any]) -> ReconstructionSize[Any] | None:
    """The size that is chosen; None where there is nothing to choose."""
    count = st.session_state.get(_key(found))
    return next((size for size in found.sizes if len(size.names) == count), found.sizes[-1] if found.sizes else None)


def draw_sizes(found: Compared[Any, Any], measure: Measure) -> None:
    """The curve and the choice; nothing where there is nothing to choose."""
    size, points = _chosen(found), _points(found.sizes)
    if size is None:
        return
    titles = {len(one.names): _title(one, len(found.sizes[-1].names)) for one in found.sizes if one.names}
    counts = list(titles)
    with st.container(width=900):
        if points:
            split, figures = points
            _draw_curve(figures, size, measure, _texts(found, split, figures[0].texts))
            if split != "test":
                html(f'<div class="re2-muted">{_CHOSE_TOO}</div>')
        if len(counts) > 1:
            st.select_slider(
                "Size",
                counts,
                value=counts[-1],
                format_func=titles.__getitem__,
                key=_key(found),
                help=_HELP,
                persist_state="session",
            )


def _draw_curve(points: Sequence[SizePoint], size: ReconstructionSize[Any], measure: Measure, texts: str) -> None:
    what = measure.name or "accuracy"
    st.plotly_chart(
        size_curve(points, shown=size.words, dark=dark(), measure=f"{what} on {texts}"),
        key="compare_size_curve",
        config={"displayModeBar": False},
        alt=f"Agreement with the network and {what} by added words; the slider below names the sizes.",
    )


def _texts(found: Compared[Any, Any], split: str, count: int) -> str:
    """What the texts are called that are measured."""
    own = split == "dev" and dev_name(found.run, found.records) == ALL
    return counted(count, f"{'labelled' if own else split} text")


def _points(sizes: Sizes) -> tuple[str, list[SizePoint]] | None:
    """The split that says most of new texts, and its figures at each size; None where no text is held out."""
    for split in SPLITS:
        found = [(size.words, one) for size in sizes for one in size.figures if one.split == split]
        shares = [SizePoint(words, *_shares(one)) for words, one in found if _shares(one)[1] is not None]
        if shares and len(shares) == len(sizes):
            return split, shares
    return None


def _shares(figures: Any) -> tuple[float, float | None, int]:
    """Agreement, accuracy or F1, and texts."""
    reached = figures.reconstructed
    if isinstance(figures, SplitScores):
        return figures.fidelity, None if reached is None else reached.f1, figures.marked
    return figures.fidelity, reached, figures.labelled


def _title(size: ReconstructionSize[Any], changes: int) -> str:
    count = len(size.names)
    named = f"all {counted(count, 'change')}" if count == changes > 1 else counted(count, "change")
    return f"{counted(size.words, 'added word')}, {named}"


def draw_chosen_size(found: Compared[Any, Any]) -> None:
    """That changes are left out for the size, and the button that lists them again; nothing where none is."""
    size = _chosen(found)
    if size is None or size is found.sizes[-1]:
        return
    changes = len(found.sizes[-1].names)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        html(
            f'<div class="re2-muted">Size: {_title(size, changes)} of {changes:,} (view Figures).</div>',
            width="content",
        )
        st.button(
            f"List all {changes:,} changes",
            key=f"{_key(found)}_all",
            type="tertiary",
            on_click=_choose_all,
            args=(_key(found), changes),
        )


def _choose_all(key: str, changes: int) -> None:
    st.session_state[key] = changes
