"""Exports of reviews: what people give is the label, not what names the product or counts votes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.tables.column_choice import ColumnChoice

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


TEXTS = (
    "Broke after two days, do not buy",
    "Works as described, would buy again",
    "It is OK for the price",
    "Love it so much",
    "Terrible smell out of the box",
    "My kids play with it daily",
    "Not what I expected at all",
    "Five minutes to set up, no trouble",
)
STARS = (1, 5, 3, 5, 1, 4, 2, 5)


def columns_of(data: str, name: str = "reviews.csv") -> ColumnChoice:
    columns = read_corpus(data.encode(), name).columns
    assert columns is not None
    return columns


def table(header: str, *cells: object, rows: int = 8) -> str:
    """Rows of stars and texts among other cells, of which a function makes one of the number of the row."""
    made = (
        ",".join(str(cell(n) if callable(cell) else cell) for cell in cells).replace("STARS", str(STARS[n]))
        + f',"{TEXTS[n]}"'
        for n in range(rows)
    )
    return "\n".join((header, *made)) + "\n"


@pytest.mark.parametrize(
    ("data", "name", "label", "asked"),
    [
        # An export of 8 reviews: whether somebody bought it said less than nothing of stars.
        (
            table(
                "asin,helpful_votes,verified_purchase,star_rating,review_body",
                lambda n: f"B{n}",
                lambda n: n % 4,
                lambda n: "YN"[n == 5],
                "STARS",
            ),
            "reviews.csv",
            None,
            ("verified_purchase", "star_rating"),
        ),
        # Words with few values beside stars.
        (
            table("marketplace,rating,vine,review", lambda n: ("US", "UK")[n % 2], "STARS.5", lambda n: "NY"[n == 0]),
            "reviews.csv",
            None,
            ("marketplace", "vine", "rating"),
        ),
        (table("product,stars,comment", lambda n: f"P{n}", "STARS", rows=3), "reviews.csv", "stars", ()),
        (table("name,rating,review", lambda n: f"N {n}", "Rated STARS of 5 stars"), "reviews.csv", "rating", ()),
        (
            "".join(
                json.dumps({"stars": float(STARS[n]), "useful": n % 3, "cool": n % 2, "text": TEXTS[n]}) + "\n"
                for n in range(8)
            ),
            "yelp.jsonl",
            None,
            ("cool", "useful", "stars"),
        ),
        (table("content,score,text", "x", "STARS", rows=6).replace(",text\n", ",words\n"), "play.csv", "score", ()),
    ],
)
def test_stars_of_a_few_reviews_are_the_label_or_asked_about(
    data: str, name: str, label: str | None, asked: tuple[str, ...]
) -> None:
    chosen = columns_of(data, name)
    assert (chosen.label, chosen.candidates) == (label, asked)


def test_stars_beside_a_named_column_of_labels_are_reported() -> None:
    chosen = columns_of(table("product_category,star_rating,review_body", lambda n: ("Toys", "Books")[n % 2], "STARS"))
    assert chosen.label == "product_category"
    assert "(star_rating could hold the labels too; choose one with --label-column)" in chosen.in_words(options=True)


def test_a_score_that_was_measured_is_no_rating() -> None:
    chosen = columns_of(table("label,score,text", lambda n: "ab"[n % 2], lambda n: f"0.9{n}"))
    assert "could hold the labels" not in chosen.in_words()
