"""What each rule of a finished run is worth on labelled texts: trained, and beside it as it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages._shared.cached.models import network_of, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import count_figure, difference, figures, html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.tables import choose_row, label_column
from pages._shared.session.fragments import fragment
from pages._train.splits import caution_of, choose_split
from re2nn_core.services.fine_tuning.runs import bundle_stamp, fingerprint
from re2nn_core.services.prediction.classification.contributions import Contribution, Contributions, rule_contributions
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

_MOST, _ROW, _WRITTEN = 14, 36, 46  # rows, and pixels: of a row, and for the word in a column's head
# Title, value of a rule where the accuracy with all rules is given, and how it is shown.
Value = Callable[[Contribution, float], float]
_COUNT: dict[str, Any] = {"width": 66, "format": "%d"}
_SHARE: dict[str, Any] = {"width": 84, "format": "%.1f%%"}
_CHANGE: dict[str, Any] = {"width": 84, "format": "%+.1f"}
_FIGURES: tuple[tuple[str, str, Value, dict[str, Any]], ...] = (
    ("fires", "Matches", lambda rule, _: rule.fires, _COUNT),
    ("right", "Correct", lambda rule, _: rule.right, _COUNT),
    ("wrong", "Incorrect", lambda rule, _: rule.wrong, _COUNT),
    ("without", "Accuracy without", lambda rule, _: 100 * rule.without, _SHARE),
    ("change", "Difference", lambda rule, accuracy: 100 * (rule.without - accuracy), _CHANGE),
)


@fragment()
def draw_rule_table(project: ProjectRecord, run: RunRecord) -> None:
    """The rules of a run; a click on a column's head sorts by it."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Evaluating the rules"):
        records = records_of(project)
        places = choose_split(records, "train_rules_split", runs=[("", run)], caution=caution_of(run, records))
        if not places:
            html('<div class="re2-empty re2-muted">No text of this split has a label.</div>')
            return
        chosen = tuple(records[place] for place in places)
        found = _measured(str(run.folder), bundle_stamp(run.folder), fingerprint(chosen), run, chosen)
        html(figures(_head(found)))
        _table(found, palette_of(project.id))
        st.caption(
            "A rule matches where its score is above one half. *Accuracy without*: accuracy on these texts "
            "without the rule; *difference*: in points. A positive difference means that the rule harms. "
            "Click a column to sort."
        )


@st.cache_resource(show_spinner="Evaluating without each rule …", max_entries=12)
def _measured(
    folder: str, stamp: int | None, texts: str, _run: RunRecord, _records: tuple[TextRecord, ...]
) -> Contributions:
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in _records))
    return rule_contributions(network_of(_run), corpus)


def _head(found: Contributions) -> list[tuple[str, str, str]]:
    return [
        count_figure(found.texts, "labelled text"),
        (f"{found.written:.1%}", "rules as written", ""),
        (f"{found.trained:.1%}", "trained", difference(found.trained - found.written, percent=True)),
    ]


def _table(found: Contributions, palette: Palette) -> None:
    """Rules without which the network would be best stand in front."""
    rules = sorted(found.rules, key=lambda rule: -rule.trained.without)
    labels = list(dict.fromkeys([*palette.labels, *(rule.label for rule in rules)]))
    columns: dict[str, list[Any]] = {"rule": [rule.name for rule in rules], "label": [[rule.label] for rule in rules]}
    config: dict[str, Any] = {
        "rule": st.column_config.TextColumn("Rule", width=150, pinned=True),
        "label": label_column("Label", palette, labels, width=140),
    }
    for key, title, value, options in _FIGURES:
        for side in ("trained", "written"):
            accuracy = found.trained if side == "trained" else found.written
            columns[f"{key}_{side}"] = [value(getattr(rule, side), accuracy) for rule in rules]
            name, wider = (title, 0) if side == "trained" else (f"{title}, written", _WRITTEN)
            shown = {**options, "width": options["width"] + wider}
            config[f"{key}_{side}"] = st.column_config.NumberColumn(name, **shown)
    row = choose_row(columns, key="train_rule_table", config=config, height=_ROW * (min(len(rules), _MOST) + 1))
    if row is None or row >= len(rules):
        html('<span class="re2-muted">Select a row to open its rule.</span>')
    else:
        html(f"Open {rule_link(rules[row].name)} in the editor")
