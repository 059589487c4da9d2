"""The running application, and what a test asks of it: for the tests of the pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.text.corpus import Corpus, Example

ROOT = Path(__file__).resolve().parents[3]
RULES = """\
@place@=( rome | paris | new york )

[flight]
fly := $* ( fly | flight ) $*
to_place := $* to @place@ $*     // too broad

[baggage]
bag := $* ( bag | bags ) $*
lost := $* lost $*
"""
LOGIC = 'priorities = ["baggage > flight"]\n'
TEXTS = (
    ("book a flight to rome", "flight"),
    ("fly me to paris", "flight"),
    ("to new york please", "flight"),
    ("my bag is lost", "baggage"),
    ("bags to rome", "baggage"),
    ("where is my suitcase", "baggage"),
    ("lost in paris", "flight"),
    ("good morning", None),
)


def small_project(store: Store, name: str = "Small") -> ProjectRecord:
    """A small project whose figures can be counted by hand."""
    return create_project(
        store,
        name=name,
        examples=Corpus(tuple(Example(text, label) for text, label in TEXTS)),
        rules_text=RULES,
        logic_text=LOGIC,
        author="tester",
    )


class Studio:
    """The running application, and what a test asks of it."""

    def __init__(self) -> None:
        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)

    def open(self, page: str, *, project: int | None = None) -> AppTest:
        """Go to a page of the project; fails on any exception that a page lets through."""
        if project is not None:
            self.test.query_params["project"] = str(project)
        self.test.run()
        self.test.switch_page(f"pages/{page}.py").run()
        return self.checked()

    def checked(self) -> AppTest:
        assert not self.test.exception, [error.value for error in self.test.exception]
        return self.test

    def frame(self, column: str) -> pd.DataFrame:
        """The one table on the page that has a column of this name."""
        [found] = [table.value for table in self.test.dataframe if column in table.value]
        return found

    def component(self, key: str) -> dict[str, Any]:
        """What the component of this key was given."""
        [sent] = [part.proto for part in self.test.get("bidi_component") if part.key == key]
        given: dict[str, Any] = json.loads(sent.json)
        return given

    @property
    def html(self) -> str:
        """All HTML on the page, put together."""
        return "\n".join(element.proto.body for element in self.test.get("html"))

    @property
    def messages(self) -> str:
        return "\n".join(box.value for box in [*self.test.error, *self.test.warning])
