"""The component of spaCy: what it writes into documents, alone, in batches and processes, and stored pipelines."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import spacy
import support.command_line as labels
from spacy.language import Language
from spacy.tokens import Doc
from spacy.ty import ListenedToComponent

import re2nn_core as re2nn
from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model
from re2nn_core.errors import InputError, ModelError
from re2nn_core.spacy import RuleComponent

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [text for _, text in labels.TEXTS]
CITY_RULES = "to := $* to [ oslo | new york ]<to_city> $*"
CITIES = ["fly to New York, please", "to oslo", "", "hello"] * 5


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Trained models for labels and for slots."""
    root = tmp_path_factory.mktemp("models")
    rules = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    re2nn.train(rules, [(text, label) for label, text in labels.TEXTS] * 5, folder=root / "labels", epochs=3)
    cities = re2nn.compile(CITY_RULES, tokenizer="punctuation")
    spans = [("to oslo", [(3, 7, "to_city")]), ("to rome", [(3, 7, "to_city")])] * 10
    re2nn.train(cities, spans, folder=root / "slots", epochs=3)
    return {"labels": root / "labels", "slots": root / "slots"}


def pipeline(folder: Path | str, **settings: object) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("re2nn", config={"model": str(folder), **settings})
    return nlp


def found(doc: Doc) -> tuple[object, ...]:
    """What the component has written."""
    spans = doc.spans.get("re2nn", [])
    return dict(doc.cats), [(one.start_char, one.end_char, one.label_) for one in spans]


def test_the_entry_point_makes_the_component() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    EntryPoint("re2nn", points["spacy_factories"]["re2nn"], "spacy_factories").load()
    assert Language.has_factory("re2nn")


def test_a_component_without_a_model_is_added_whatever_spacy_looks_for_first() -> None:
    """spaCy asks each component for `model` by hasattr, in an order that differs from process to process."""
    component = spacy.blank("xx").add_pipe("re2nn")
    assert isinstance(component, RuleComponent)
    assert component.model is None
    assert not isinstance(component, ListenedToComponent)


def test_labels_are_categories(folders: dict[str, Path]) -> None:
    nlp, model = pipeline(folders["labels"]), re2nn.load(folders["labels"])
    assert isinstance(model, LabelModel)
    for text, label, shares in zip(TEXTS, model.predict(TEXTS), model.predict_proba(TEXTS), strict=True):
        cats = nlp(text).cats
        assert max(cats, key=lambda name: cats[name]) == label
        assert all(abs(cats[name] - share) < 1e-5 for name, share in zip(model.labels, shares, strict=True))
    assert nlp.get_pipe("re2nn").labels == model.labels


def test_a_text_without_a_prediction_has_categories_of_zero(tmp_path: Path) -> None:
    re2nn.compile(labels.RULES).save(tmp_path / "model")
    assert pipeline(tmp_path / "model")("i want to go home").cats == {"flight": 0, "fare": 0}


def test_slots_are_spans(folders: dict[str, Path]) -> None:
    nlp, model = pipeline(folders["slots"], set_ents=True), re2nn.load(folders["slots"])
    for text, spans in zip(CITIES, model.predict(CITIES), strict=True):
        doc = nlp(text)
        assert found(doc)[1] == [(one.start, one.end, one.slot) for one in spans]  # type: ignore[union-attr]
        expected = [(one.start, one.end, one.label_) for one in doc.spans["re2nn"]]
        assert [(one.start, one.end, one.label_) for one in doc.ents] == expected
    attributes = nlp("fly to New York, please").spans["re2nn"].attrs
    assert attributes["characters"] == [[7, 15]]
    assert 0 < attributes["scores"][0] <= 1
    assert pipeline(folders["slots"])("to oslo").ents == ()


@pytest.mark.parametrize(("mode", "spans"), [("expand", ["oslo!"]), ("contract", []), ("strict", [])])
def test_spans_inside_of_tokens_are_aligned_by_characters(
    folders: dict[str, Path], mode: str, spans: list[str]
) -> None:
    nlp = pipeline(folders["slots"], alignment_mode=mode)
    doc = nlp.get_pipe("re2nn")(Doc(nlp.vocab, words=["to", "oslo!"], spaces=[True, False]))
    assert [one.text for one in doc.spans["re2nn"]] == spans
    assert doc.spans["re2nn"].attrs["characters"] == [[3, 7]] * len(spans)


def test_two_spans_inside_one_token_are_one_entity(tmp_path: Path) -> None:
    """Both are in doc.spans, which may overlap, so that no prediction is lost; doc.ents may not."""
    cities = re2nn.compile("to := to [ oslo ]<from_city> / [ rome ]<to_city>", tokenizer="punctuation")
    cities.save(tmp_path / "model")
    nlp = pipeline(tmp_path / "model", set_ents=True)
    doc = nlp.get_pipe("re2nn")(Doc(nlp.vocab, words=["to", "oslo/rome"]))
    assert [(span.text, span.label_) for span in doc.spans["re2nn"]] == [
        ("oslo/rome", "from_city"),
        ("oslo/rome", "to_city"),
    ]
    assert doc.spans["re2nn"].attrs["characters"] == [[3, 7], [8, 12]]
    assert [span.label_ for span in doc.ents] == ["from_city"]


def test_entities_of_a_model_for_labels_are_warned_about(folders: dict[str, Path]) -> None:
    with pytest.warns(UserWarning, match="The component 're2nn' sets no entities: its model is for labels, which"):
        pipeline(folders["labels"], set_ents=True)


@pytest.mark.parametrize("kind", ["labels", "slots"])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_batches_and_processes_predict_the_same(folders: dict[str, Path], kind: str) -> None:
    nlp = pipeline(folders[kind])
    texts = CITIES + TEXTS
    alone = [found(nlp(text)) for text in texts]
    for options in ({"batch_size": 4}, {"batch_size": 5, "n_process": 2}):
        both = [found(doc) for doc in nlp.pipe(texts, **options)]
        assert [one[1] for one in both] == [one[1] for one in alone]
        for (cats, _), (others, _) in zip(both, alone, strict=True):
            assert cats == pytest.approx(others, abs=1e-5)


@pytest.mark.parametrize("kind", ["labels", "slots"])
def test_a_stored_pipeline_needs_its_model_folder_no_more(folders: dict[str, Path], kind: str, tmp_path: Path) -> None:
    model: Model = re2nn.load(folders[kind])
    model.save(tmp_path / "model")
    nlp = pipeline(tmp_path / "model")
    expected = [found(nlp(text)) for text in CITIES + TEXTS]
    nlp.to_disk(tmp_path / "pipeline")
    data = nlp.to_bytes()
    assert data == nlp.to_bytes()
    for path in (tmp_path / "model").iterdir():
        path.unlink()
    (tmp_path / "model").rmdir()
    stored = spacy.load(tmp_path / "pipeline")
    assert [found(stored(text)) for text in CITIES + TEXTS] == expected
    again = pipeline("").from_bytes(data)
    assert [found(again(text)) for text in CITIES + TEXTS] == expected


def test_what_cannot_be_used_is_reported(folders: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"The component 're2nn' has no model: there is no folder gone\. Write nlp"):
        pipeline("gone")
    with pytest.raises(ModelError, match=r"The component 're2nn' has no model: no folder was given\. Write nlp"):
        pipeline("")("flights")
    with pytest.raises(ModelError, match="is not a model folder: it has no bundle.json"):
        pipeline(tmp_path)
    with pytest.raises(InputError, match=r"alignment_mode must be one of expand, contract, strict \(got 'near'\)"):
        pipeline(folders["slots"], alignment_mode="near")
    with pytest.raises(ModelError, match="These 3 bytes are no model: File is not a zip file. Give those that"):
        RuleComponent().from_bytes(b"abc")
