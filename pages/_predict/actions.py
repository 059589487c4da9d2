"""What can be done with the rows that are shown: download them, or send them to labelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

import streamlit as st

from pages._predict.filters import Integers
from pages._predict.sources import Given, Gold
from pages._shared.catalog import LABEL
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.selection import keep_selection
from re2nn_core.services.annotation.classification import Added
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

Found = TypeVar("Found", Predictions, SpanPredictions)
_MIMES = {
    "csv": "text/csv",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "conll": "text/plain",
}


@dataclass(frozen=True)
class Exporting(Generic[Found, Gold]):
    """How predictions are written: the formats with their names, the one that is chosen at first, what files are
    called, and what makes one; and what adds texts to a project, with what becomes of those that are sent to
    labelling."""

    formats: Mapping[str, str]
    usual: str
    key: str
    ending: str
    sent: str
    write: Callable[[Found, Integers, Given[Gold], str], bytes]
    add: Callable[..., Added]


def draw_actions(
    project: ProjectRecord, predicted: Found, given: Given[Gold], places: Integers, how: Exporting[Found, Gold]
) -> None:
    """Download and labelling, both for the rows that are shown."""
    count = len(places)
    why = None if given.of_project else access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        format = st.segmented_control(
            "Format",
            list(how.formats),
            format_func=how.formats.__getitem__,
            default=how.usual,
            required=True,
            key=how.key,
            persist_state="session",
            label_visibility="collapsed",
        )
        format = format or how.usual
        download(
            f"Download {rows_in_words(count)}",
            lambda: how.write(predicted, places, given, format),
            f"{file_stem(given.name, of_project=given.of_project)}_{how.ending}.{format}",
            _MIMES[format],
            key="predict_download",
            type="primary",
            why_not=None if count else "There is no row to download. Change the filters above.",
        )
        if st.button(
            f"Label {rows_in_words(count)}" if given.of_project else f"Send {rows_in_words(count)} to labelling",
            key="predict_send",
            icon=":material/check_circle:",
            disabled=not count or why is not None,
            help=why or f"They come first on Label. {how.sent}",
        ):
            _send(project, given, places, how.add)


def file_stem(name: str, *, of_project: bool) -> str:
    """What a download is called, from the name of a project or of a file."""
    stem = name if of_project else name.rsplit(".", 1)[0]
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in stem)[:60] or "texts"


def _send(project: ProjectRecord, given: Given[Any], places: Integers, add: Callable[..., Added]) -> None:
    if given.of_project:
        hand_over(project, [given.ids[place] for place in places])
    with messages.guard("Sending the texts to labelling") as outcome:
        texts, gold = [given.texts[place] for place in places], [given.gold[place] for place in places]
        added = add(store(), project.id, texts, gold, person=state.person())
    if outcome.ok:
        hand_over(project, added.text_ids, added)


def hand_over(project: ProjectRecord, text_ids: Sequence[int], added: Added | None = None) -> NoReturn:
    """Go on to the page Label, with these texts in front; say how many were `added` for it."""
    if added is not None:
        known = f", {added.known:,} were already in it" if added.known else ""
        messages.remember(f"{counted(added.new, 'text was', 'texts were')} added to the project{known}.")
    keep_selection(project.id, tuple(text_ids))
    st.switch_page(LABEL.file)


def rows_in_words(count: int) -> str:
    """`1 row`, `2 rows`."""
    return "1 row" if count == 1 else f"{count:,} rows"
