"""One thing has one name: identifiers that the glossary has retired stay away; and this check can fail."""

from __future__ import annotations

from pathlib import Path

from architecture.retired_names import retired

ROOT = Path(__file__).resolve().parents[2]


def test_no_retired_identifier_stands_again() -> None:
    assert retired(ROOT) == []


def test_a_planted_one_is_found(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "_novel" / "page.py"
    page.parent.mkdir(parents=True)
    page.write_text('kept_readback = "readback"  # of a Desk\nclass Explorer:\n    pass\n', encoding="utf-8")
    assert retired(tmp_path) == [
        "pages/_novel/page.py:1: kept_readback (write reconstruct, reconstruction, reconstructed)",
        "pages/_novel/page.py:2: Explorer (write ThresholdSweep)",
    ]
