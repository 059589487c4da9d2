"""Exports of reviews: what people give is the label, not what names the product or counts votes."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange.corpora import read_corpus

HEADERS = (
    "review_id,asin,star_rating,helpful_votes,title,body",
    "review_id,product_id,star_rating,helpful_votes,title,body",
    "review_id,sku,stars,upvotes,title,body",
)


@pytest.mark.parametrize("header", HEADERS)
def test_the_stars_are_the_label(tmp_path: Path, header: str) -> None:
    rows = [f"R{n}X,B00{n % 7},{n % 5 + 1},{n % 9},Item {n},the body of number {n} is so and so" for n in range(60)]
    file = tmp_path / "reviews.csv"
    file.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    assert [example.label for example in read_corpus(file).corpus] == [str(n % 5 + 1) for n in range(60)]
