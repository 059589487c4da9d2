"""What the dev figure of a run is called, wherever it is shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from re2nn_core.services.run_figures import epoch_dev_name, run_dev_name


@pytest.mark.parametrize(
    ("result", "name"),
    [
        (None, "dev"),
        ({"turns": False}, "dev"),
        ({"turns": True}, "dev, held out"),
        ({"from_dev": 12}, "dev, held out"),
        ({"figures": [{"name": "dev, held out"}, {"name": "dev, learned from"}, {"name": "test"}]}, "dev, held out"),
        (
            {"turns": True, "figures": [{"name": "dev, held out"}, {"name": "dev, learned from", "near_rules": 0.9}]},
            "dev, learned from",
        ),
        ({"turns": False, "figures": [{"name": "dev"}, {"name": "test"}]}, "dev"),
    ],
)
def test_the_figure_that_decided_is_named_by_what_it_was_measured_on(result: dict[str, Any] | None, name: str) -> None:
    assert run_dev_name(SimpleNamespace(result=result)) == name


def test_each_epoch_keeps_its_name_where_the_network_was_brought_near_rules_after_it() -> None:
    figures = [{"name": "dev, held out"}, {"name": "dev, learned from", "near_rules": 0.9}]
    run = SimpleNamespace(result={"turns": True, "figures": figures})
    assert (run_dev_name(run), epoch_dev_name(run)) == ("dev, learned from", "dev, held out")
