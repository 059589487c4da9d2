"""The page Predict: nothing open, files good and bad, pasted texts, the project's texts, filters, labelling."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.projects.finished_run import finished_run, learnable_project

from pages._predict import predictions
from pages._shared.drawing.tables import MEASURED
from re2nn_core.errors import StateBudgetError
from re2nn_core.services.annotation.classification import send_to_labelling
from re2nn_core.services.fine_tuning.run_comparison import Learned
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    latest_version,
    record_label,
    save_version,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example

TABLE = b"id,text,label\n1,book a flight,flight\n2,my bag is gone,flight\n3,=good morning,\n"


def source(studio: Studio, way: str) -> None:
    studio.test.segmented_control(key="predict_way").set_value(way).run()
    studio.checked()


def upload(studio: Studio, name: str, data: bytes) -> None:
    studio.test.file_uploader(key="predict_upload").upload(name, data, "text/csv").run()
    studio.checked()


def table(studio: Studio):
    return studio.test.dataframe[0].value


def test_without_a_project_the_page_says_where_to_open_one(studio: Studio) -> None:
    studio.open("predict")
    assert "No project is open." in studio.html


def test_it_begins_with_a_file(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    assert studio.test.caption[0].value.startswith("The model is chosen in the bar above.")
    assert not studio.test.dataframe


def test_a_file_is_predicted(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", TABLE)
    found = table(studio)
    assert list(found["text"]) == ["book a flight", "my bag is gone", "=good morning"]
    assert [list(cell) for cell in found["prediction"]] == [["flight"], ["baggage"], ["no prediction"]]
    assert list(found["why"]) == ["fly", "bag", "no rule"]
    assert list(found["right"]) == ["✓", "✗", ""]
    assert list(found["line"]) == [2, 3, 4]
    assert "50.0%" in studio.html
    assert "correct" in studio.html


def test_rules_have_a_measured_precision_and_no_confidence(studio: Studio, store: Store) -> None:
    """Of the project's texts, on the screen and in the file alike; blank where no labelled text tells."""
    project = learnable_project(store)
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text\nshow flights to rome\nwhat is the fare\nnothing else\nhow much is it\n")
    found = table(studio)
    assert "confidence" not in found
    assert list(found["why"]) == ["go", "price", "default label", "much"]
    go, price, default, much = found["precision"]
    assert (go, price) == ("100% (81% to 100%), 16 texts", "100% (81% to 100%), 16 texts")
    assert (default, much) == ("64% (43% to 80%), 22 texts", "100% (68% to 100%), 8 texts")
    # “16 texts” did not say which texts.
    assert f'title="{MEASURED}">precision 100% (81% to 100%), 16 texts' in studio.html
    assert "sure" not in studio.html
    # A label that is given counts at once.
    record_label(store, texts_of(store, project.id)[1].id, "money", "Ann")
    studio.test.run()
    assert table(studio)["precision"][0] == "94% (72% to 99%), 16 texts"


def test_nothing_is_measured_without_labels(studio: Studio, store: Store) -> None:
    texts = tuple(Example(one.text) for one in small_corpus())
    made = create_project(store, name="Bare", examples=Corpus(texts), rules_text=RULES, logic_text=LOGIC, author="Ann")
    studio.open("predict", project=made.id)
    source(studio, "project")
    assert "precision" not in table(studio)
    assert not studio.test.slider
    assert [name.split()[0] for name in studio.test.segmented_control(key="predict_view").options] == ["All"]


def test_the_first_row_is_explained(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", TABLE)
    assert "Matched by fly." in studio.html
    assert '<mark class="re2-hit">flight</mark>' in studio.html


def test_texts_are_shown_as_they_are_and_never_as_markup(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text\n<script>alert(1)</script> flight\n")
    assert "<script>" not in studio.html
    assert "&lt;script&gt;" in studio.html


def test_bad_rows_are_named_and_good_ones_predicted(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text,label\na flight,flight\n,flight\nx,y,z\nlost bag,baggage\n")
    assert list(table(studio)["text"]) == ["a flight", "lost bag"]
    assert "line 3: the text (column &#x27;text&#x27;) is empty" in studio.html
    assert "line 4: has 3 fields, expected 2" in studio.html
    assert any("2 rows left out; the other 2 are predicted" in box.label for box in studio.test.expander)


def test_the_first_row_can_be_said_to_name_the_columns_or_not(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    data = b"what they said to us\na flight\nlost bag\n"
    upload(studio, "mine.csv", data)
    assert len(table(studio)) == 3
    studio.test.toggle(key=f"predict_header_mine.csv_{len(data)}").set_value(True).run()
    studio.checked()
    assert list(table(studio)["text"]) == ["a flight", "lost bag"]


def test_one_other_row_is_no_plural(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text,label\na flight,flight\n,flight\n")
    assert any("1 row left out; the other one is predicted" in box.label for box in studio.test.expander)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"PK\x03\x04rest", "zip file"),
        ("a.csv", b"", "a.csv"),
        ("a.csv", b"text,label\n", "only a header"),
        ("a.csv", b"text\ncaf\xe9 \xff\xfe\n", "a.csv"),
        ("a.parquet", b"no parquet", "is not a Parquet file"),
        ("a.jsonl", b"{broken\n", "a.jsonl"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(
    studio: Studio, project: ProjectRecord, name: str, data: bytes, words: str
) -> None:
    studio.open("predict", project=project.id)
    upload(studio, name, data)
    assert "Reading the file did not work." in studio.messages
    assert words in studio.messages.replace("\\", "")
    assert not studio.test.dataframe


def test_a_column_without_texts_is_explained(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text,note\na flight,\nlost bag,\n")
    studio.test.selectbox(key="predict_text_mine.csv_2").set_value("note").run()
    studio.checked()
    assert "holds no row that can be read" in studio.messages


def test_an_uploaded_file_is_kept_while_another_page_is_looked_at(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", TABLE)
    studio.test.switch_page("pages/projects.py").run()
    studio.test.switch_page("pages/predict.py").run()
    studio.checked()
    assert "Last file: <b>mine.csv</b>" in studio.html
    assert len(table(studio)) == 3
    studio.test.button(key="predict_remove").click().run()
    assert not studio.checked().dataframe


def test_pasted_lines_are_predicted(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    source(studio, "paste")
    studio.test.text_area(key="predict_paste").input("fly to rome\n\nmy bag").run()
    assert list(table(studio)["text"]) == ["fly to rome", "my bag"]
    studio.checked()


def test_the_projects_own_texts_are_predicted(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    source(studio, "project")
    assert len(table(studio)) == 8


def test_an_empty_project_says_so(studio: Studio, store: Store) -> None:
    made = create_project(
        store, name="Empty", examples=Corpus(()), rules_text="[a]\nx\n", logic_text="", author="tester"
    )
    studio.open("predict", project=made.id)
    source(studio, "project")
    assert "This project has no texts." in studio.html


def test_views_and_filters_leave_the_rows_that_are_wanted(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    source(studio, "project")
    studio.test.segmented_control(key="predict_view").set_value("wrong").run()
    assert set(table(studio)["text"]) == {"bags to rome", "where is my suitcase", "lost in paris"} - {"bags to rome"}
    studio.test.segmented_control(key="predict_view").set_value("all").run()
    studio.test.multiselect(key="predict_labels").set_value(["baggage"]).run()
    assert set(table(studio)["text"]) == {"my bag is lost", "bags to rome", "lost in paris"}
    studio.test.text_input(key="predict_search").input("ROME").run()
    assert list(table(studio)["text"]) == ["bags to rome"]
    studio.test.text_input(key="predict_search").input("nowhere").run()
    assert "No row matches the filters." in studio.html
    studio.checked()


def test_new_texts_are_sent_to_labelling(studio: Studio, project: ProjectRecord, store: Store) -> None:
    studio.open("predict", project=project.id)
    source(studio, "paste")
    studio.test.text_area(key="predict_paste").input("a brand new text\nmy bag is lost").run()
    studio.test.button(key="predict_send").click().run()
    texts = [record.text for record in texts_of(store, project.id)]
    assert texts.count("my bag is lost") == 1
    assert texts[-1] == "a brand new text"
    assert studio.test.session_state["label_order"] == "selection"


def test_a_trained_run_predicts_and_its_differences_are_shown(studio: Studio, store: Store) -> None:
    made = learnable_project(store)
    run = finished_run(store, made)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("predict", project=made.id)
    source(studio, "project")
    assert "where rules and network differ" in studio.html
    assert "correct on dev" in studio.html
    studio.test.segmented_control(key="predict_view").set_value("differ").run()
    assert all(len(cell) for cell in table(studio)["rules"])
    studio.checked()


def test_a_network_is_shown_with_the_rules_that_it_was_trained_from(studio: Studio, store: Store) -> None:
    """A rule that was saved after the training was said to match by the network's prediction."""
    made = learnable_project(store)
    run = finished_run(store, made)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("predict", project=made.id)
    source(studio, "project")
    before = list(table(studio)["why"])
    assert "The network was trained from rules" not in studio.html
    newest = latest_version(store, made.id)
    rules = f"{newest.rules_text}\nlater := $* how $*\n"
    logic = newest.logic_text.replace("much", "much | later") if newest.logic_text else newest.logic_text
    save_version(store, made.id, rules_text=rules, logic_text=logic, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert list(table(studio)["why"]) == before
    assert "later" not in studio.html
    assert "trained from rules v1: the rules below are these, not the newest ones (v2)." in studio.html
    studio.test.query_params["model"] = "rules"
    studio.test.run()
    assert "trained from rules v1" not in studio.html


def test_a_failing_service_is_a_message(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_, **__):
        raise StateBudgetError(1000, "( a | b )*", "fly")

    monkeypatch.setattr("re2nn_core.services.prediction.classification.predictions.predict", fail)
    studio.open("predict", project=project.id)
    source(studio, "project")
    assert "needs more than 1,000 states" in studio.messages.replace("\\", "")


def test_faulty_rules_are_shown_with_their_place(studio: Studio, project: ProjectRecord, store: Store) -> None:
    save_version(store, project.id, rules_text="[a]\n( x | y\n", logic_text="", author="tester", expected_number=1)
    studio.open("predict", project=project.id)
    source(studio, "project")
    assert "re2-fault" in studio.html
    assert "line 2" in studio.html


def test_dev_texts_that_were_trained_on_are_named_once(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below `correct on dev (also used for training)` a warning gave the figure on test again."""
    project = learnable_project(store)
    run = finished_run(store, project)
    texts = texts_of(store, project.id)
    learned = Learned(frozenset(one.text for one in texts if one.split != "test"), from_dev=True)
    monkeypatch.setattr(predictions, "_learned", lambda *_: learned)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("predict", project=project.id)
    source(studio, "project")
    assert "correct on dev (also used for training)" in studio.html
    assert "correct on test" in studio.html
    assert "trained on" not in studio.html


def test_figures_say_how_many_of_the_texts_were_trained_on(studio: Studio, store: Store) -> None:
    project = learnable_project(store)
    run = finished_run(store, project)
    texts = texts_of(store, project.id)
    train, test = ([one for one in texts if one.split == split] for split in ("train", "test"))

    def predicted(*rows: tuple[str, str]) -> str:
        table = "".join(f"{text},{label}\n" for text, label in rows)
        studio.test.query_params["model"] = f"run:{run.id}"
        studio.open("predict", project=project.id)
        upload(studio, "mine.csv", f"text,label\n{table}".encode())
        return studio.html

    known = [(one.text, one.label or "") for one in train[:3]]
    new = [(one.text, one.label or "") for one in test[:4]]
    assert "3 of these 7 labelled texts were trained on; without them 100.0%." in predicted(*known, *new)
    assert "1 of these 2 labelled texts was trained on; without them 0.0%." in predicted(
        known[0], ("a flight", "money")
    )
    assert "All of these 3 labelled texts were trained on." in predicted(*known)
    assert "trained on" not in predicted(*new)
    # A text without a label is none that a figure is of.
    assert "trained on" not in predicted((known[0][0], ""), *new)


def test_texts_that_were_sent_to_labelling_count_once_they_are_trained_on(studio: Studio, store: Store) -> None:
    """A file that is measured again after its texts have been learned from."""
    project = learnable_project(store)
    project_texts = texts_of(store, project.id)
    send_to_labelling(store, project.id, ["what costs it"], ["money"], person="Ann")
    run = finished_run(store, project)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("predict", project=project.id)
    upload(studio, "mine.csv", b"text,label\nwhat costs it,money\nhow much is that,money\n")
    assert "1 of these 2 labelled texts was trained on; without them 100.0%." in studio.html
    # The rules have learned from nothing.
    assert len(texts_of(store, project.id)) == len(project_texts) + 1
    studio.test.query_params["model"] = "rules"
    studio.open("predict", project=project.id)
    assert "trained on" not in studio.html


def test_incorrect_means_one_thing_on_each_page(studio: Studio, store: Store) -> None:
    """Write rules counts matches that are incorrect, Predict all texts whose prediction is: the missed ones too."""
    project = learnable_project(store)
    studio.open("rules", project=project.id)
    [views] = [group for group in studio.test.segmented_control if group.label == "Texts to show"]
    shown = [name for name in views.options if name.startswith("Incorrect")]
    assert [name.rsplit(" ", 1)[0] for name in shown] == ["Incorrect matches"]
    studio.open("predict", project=project.id)
    source(studio, "project")
    filters = studio.test.segmented_control(key="predict_view").options
    assert [name.rsplit(" ", 1)[0] for name in filters if "ncorrect" in name] == ["Incorrect predictions"]
