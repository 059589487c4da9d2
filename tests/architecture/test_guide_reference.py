"""The generated parts of the guide are current."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from architecture.guide_reference import GENERATED, TOPICS


@pytest.mark.parametrize(("topic", "generated"), GENERATED.items())
def test_the_generated_topic_is_current(topic: str, generated: Callable[[], str]) -> None:
    written = (TOPICS / f"{topic}.md").read_text(encoding="utf-8")
    assert written == generated(), "Run `python tests/architecture/guide_reference.py --write`."
