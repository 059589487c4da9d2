"""Parts of pages that the guide names in italics are called so on the pages."""

from __future__ import annotations

import re
from pathlib import Path

from re2nn_core.guide.contents import topics

ROOT = Path(__file__).resolve().parents[2]
# Words that are stressed, titles of papers, names of samples, and what a page puts together from parts.
_NO_PARTS = re.compile(
    r"Cold-Start|Neuralizing|Flight|interpretable$|accuracy$|outside the rules|dev$|fidelity$|"
    r"Hold out 20% as test$"
)


def test_every_part_that_the_guide_names_is_on_a_page() -> None:
    files = [path for kind in ("py", "js", "html") for path in (ROOT / "pages").rglob(f"*.{kind}")]
    shown_by_pages = ("network/configuration/setting_titles.py", "plots/review/change_verdict.py")
    files += [ROOT / "re2nn_core" / name for name in shown_by_pages]
    shown = " ".join(path.read_text(encoding="utf-8") for path in files)
    named = {
        " ".join(name.split())
        for topic in topics()
        if topic.name not in ("command-line", "settings", "changes")
        for name in re.findall(r"(?<![*\w])\*([A-Za-z][^*\n|`]*(?:\n[^*\n|`]+)?)\*(?![*\w])", topic.text)
    }
    parts = {name for name in named if not _NO_PARTS.match(name)}
    assert len(parts) > 20
    assert sorted(part for part in parts if part not in shown) == []
