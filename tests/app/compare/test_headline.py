"""What the figures of a comparison count, in words."""

from __future__ import annotations

from pages._compare.reconstruction.headline import SplitFigures, _out_of_fold
from pages._compare.split_names import ALL

HELD_OUT = SplitFigures("out-of-fold", 98, 0.5, (0.9, None), None)


def test_the_row_of_dev_texts_is_explained_where_there_is_one() -> None:
    assert "The row dev counts dev texts alone." in _out_of_fold(HELD_OUT, "dev (also used for training)")
    assert "The row dev" not in _out_of_fold(HELD_OUT, ALL)
    assert _out_of_fold(HELD_OUT, ALL).startswith("out-of-fold, shown on the page Fine-tune: the average over")
