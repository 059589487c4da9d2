"""What Compare shows of the newest version where it is another than the network was trained from; labels and slots."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import decided, seen_as
from support.projects.finished_run import plant_a_change

from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import (
    Policy,
    ProjectRecord,
    RunRecord,
    Store,
    latest_version,
    record_label,
    save_version,
    set_policy,
    texts_of,
)
from re2nn_core.text.tokenization import Tokenization

pytestmark = pytest.mark.usefixtures("filled")
NEWEST = "written rules (v2)"


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store) -> RunRecord:
    # Without this one label all splits have the same figures.
    record_label(store, texts_of(store, learnable.id)[0].id, "money", "bo")
    studio.open("compare", project=learnable.id)
    plant_a_change(run)
    studio.test.run()
    studio.checked()
    return run


def column(studio: Studio, title: str) -> dict[str, str]:
    """The cells of the table of figures under a title, by the beginning of their split's name."""
    seen_as(studio, "Figures")
    [table] = [part for part in studio.html.split("<table") if ">agreement with the network</abbr></th>" in part]
    head = [cell.rsplit(">", 1)[-1] for cell in table.split("</th>")[:-1]]
    rows = [row.split("</td>") for row in table.split("<tr>")[2:]]
    place = head.index(title)
    return {row[0].split("<td>")[1].split(",")[0].split(" ")[0]: row[place].split("<td")[1] for row in rows}


def predictions_of(studio: Studio) -> list[str]:
    """The rows of the table of answers."""
    seen_as(studio, "Sentence")
    [table] = [part for part in studio.html.split("<table") if "<th>Rules or confidence</th>" in part]
    return table.split("<tr>")[2:]


def accepted(studio: Studio) -> None:
    """The best edit of the changed rule is accepted."""
    seen_as(studio, "By word")
    studio.test.button(key="compare_accept").click().run()
    studio.checked()


def asked(studio: Studio, text: str) -> list[str]:
    seen_as(studio, "Sentence")
    next(field for field in studio.test.text_input if field.label == "Sentence to explain").set_value(text).run()
    studio.checked()
    return predictions_of(studio)


def test_no_figures_of_a_version_that_is_the_one_trained_from(studio: Studio, planted: RunRecord) -> None:
    assert f">{NEWEST}</th>" not in seen_as(studio, "Figures").html
    assert len(predictions_of(studio)) == 3


def test_what_was_saved_has_its_figures_beside_the_others(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    accepted(studio)
    shown = column(studio, NEWEST)
    newest = latest_version(store, learnable.id)
    system, _ = read_system(newest.rules_text, newest.logic_text, Tokenization())
    records = texts_of(store, learnable.id)
    for split in ("dev", "train", "test"):
        own = [record for record in records if record.split == split]
        right = sum(system.predictions([record.text])[0] == record.label for record in own)
        assert f">{right / len(own):.1%}" in shown[split]
    before = column(studio, "written rules (v1)")
    assert "points above and below the written rules (v1)." in studio.html
    seen_as(studio, "By rule")
    [share] = re.findall(r"your rules v2 <b>([\d.]+%)", studio.html)
    assert f">{share}" in shown["test"]
    assert "with the change</abbr>" not in studio.html, "it is saved: the figure of v2 has it"
    assert shown["train"] != before["train"]
    assert "▲" in shown["train"]


def test_they_go_when_the_version_is_taken_back(studio: Studio, planted: RunRecord) -> None:
    accepted(studio)
    seen_as(studio, "By rule")
    studio.test.button(key="version_undo").click().run()
    studio.checked()
    assert f">{NEWEST}</th>" not in seen_as(studio, "Figures").html
    assert len(predictions_of(studio)) == 3


def test_a_comment_alone_is_no_other_version(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    text = f"// what people ask\n{newest.rules_text}"
    save_version(store, learnable.id, rules_text=text, logic_text=newest.logic_text, author="bo", expected_number=1)
    assert f">{NEWEST}</th>" not in seen_as(studio, "Figures").html


def test_figures_of_other_labels_do_not_stand_beside_each_other(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    accepted(studio)
    record_label(store, texts_of(store, learnable.id)[1].id, "money", "bo")
    studio.test.run()
    studio.checked()
    assert {cell.split(">")[1] for cell in column(studio, NEWEST).values()} == {"–"}
    reported = "v2, newest, has no figures here until the comparison is measured again"
    assert reported in studio.html
    studio.test.button(key="compare_again").click().run()
    studio.test.run()
    studio.checked()
    assert reported not in studio.html


def test_labels_that_wait_by_the_policy_choose_and_count_nothing(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    texts = [record for record in texts_of(store, learnable.id) if record.split == "dev"]
    for record in texts[:6]:
        record_label(store, record.id, "money", "bo")
    set_policy(store, learnable.id, Policy("decided"))
    studio.open("compare", project=learnable.id)
    counted = {name: cell.split(">")[1] for name, cell in column(studio, "texts").items()}
    assert counted["dev"] == str(len(texts) - 6)


def test_a_sentence_is_predicted_by_the_newest_rules_too(studio: Studio, planted: RunRecord) -> None:
    accepted(studio)
    written, newest, network, read_back = asked(studio, "the cost of oslo please")
    assert "Written rules (v1, trained from)" in written
    assert "Written rules (v2, newest)" in newest
    assert "<td>price</td>" in newest
    assert ">money<" in newest
    assert "confidence 1.00" in network
    assert "<td>price</td>" in read_back


def test_a_comment_that_may_not_fit_any_more_is_told_before_it_is_kept(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    text = newest.rules_text.replace("price := ", "// fares & <nothing> else\nprice := ")
    save_version(store, learnable.id, rules_text=text, logic_text=newest.logic_text, author="bo", expected_number=1)
    reported = "Keeps 1 comment of price"
    decided(store, planted, "price")
    studio.test.run()
    assert reported in studio.html
    assert reported in seen_as(studio, "By word").html
    assert "<b>price</b>: // fares &amp; &lt;nothing&gt; else" in studio.html
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    assert (
        "// fares & <nothing> else\n// price was changed from what was learned; its comments are older\nprice := "
        in latest_version(store, learnable.id).rules_text
    )


def test_a_prediction_by_default_says_so(studio: Studio, planted: RunRecord) -> None:
    written, network, read_back = asked(studio, "the cost of oslo please")
    assert ">travel<" in written
    assert "default label, no rule matches" in written
    assert "default label" not in network
    assert "default label" not in read_back


def test_a_default_though_a_rule_accepts_says_why(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    logic = newest.logic_text + 'logic = ["price & much -> money"]\n'
    save_version(store, learnable.id, rules_text=newest.rules_text, logic_text=logic, author="bo", expected_number=1)
    studio.test.run()
    _, changed, *_ = asked(studio, "the fare please")
    assert "default label, no formula holds" in changed
    assert "<td>price</td>" in changed
