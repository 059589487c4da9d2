"""A model as a component of spaCy, under the name "re2nn" (the extra `spacy`).

    nlp.add_pipe("re2nn", config={"model": "model"})

A model for labels fills `doc.cats` with the probability of each label, all 0 where no rule matches and there is no
default label. A model for slots fills `doc.spans["re2nn"]`, and `doc.ents` where `set_ents` is true. The model reads
the text by its own tokenizer; its spans and spaCy's tokens are aligned by characters. A span that begins or ends inside
a token of spaCy is extended to the whole token (`alignment_mode` "expand"), shortened ("contract") or left out
("strict"). Two spans inside one token are both extended to it, so that no prediction is lost and they overlap;
`doc.ents` has the longer of them, or the first. `doc.spans["re2nn"].attrs` has the exact characters of each span and
its confidence.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from spacy import blank
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, SpanGroup
from spacy.util import ensure_path, filter_spans, minibatch

from re2nn_core.api.models import Model, load
from re2nn_core.api.slot_filling import SlotModel, SlotPrediction
from re2nn_core.errors import InputError, ModelError
from re2nn_core.services.fine_tuning.model_archive import temporary_folder, unzip_model, zip_model

SPANS = "re2nn"
_MODES = ("expand", "contract", "strict")
_BATCH = 128
_ADVICE = 'Write nlp.add_pipe("re2nn", config={"model": FOLDER}), with a folder that training wrote.'


@Language.factory(
    "re2nn",
    default_config={"model": "", "spans_key": SPANS, "set_ents": False, "alignment_mode": "expand"},
    assigns=["doc.cats", "doc.spans"],
)
def make_component(
    nlp: Language, name: str, model: str, spans_key: str, set_ents: bool, alignment_mode: str
) -> RuleComponent:
    """The component for a pipeline. ModelError for a folder without a model; InputError for another mode."""
    # A pipeline that is being loaded has its components in its description, and this one's model comes from its folder.
    stored = name in getattr(nlp, "_meta", {}).get("components", ())
    if model and not stored and not Path(model).exists():
        raise ModelError(f"The component '{name}' has no model: there is no folder {model}. {_ADVICE}")
    return RuleComponent(name, model, spans_key=spans_key, set_ents=set_ents, alignment_mode=alignment_mode)


class RuleComponent(Pipe):
    """Writes what a model predicts into documents.

    `model` is the folder of the model; a pipeline that was stored brings its own copy, so that the folder need not be
    there any more.
    """

    def __init__(
        self,
        name: str = "re2nn",
        model: str | Path = "",
        *,
        spans_key: str = SPANS,
        set_ents: bool = False,
        alignment_mode: str = "expand",
    ) -> None:
        if alignment_mode not in _MODES:
            raise InputError(f"alignment_mode must be one of {', '.join(_MODES)} (got {alignment_mode!r}).")
        self.name, self.folder = name, str(model)
        self.spans_key, self.set_ents, self.alignment_mode = spans_key, set_ents, alignment_mode
        self._model: Model | None = None
        if model and Path(model).exists():
            self._take(load(model))

    @property
    def model(self) -> Model | None:
        """The model that predicts, None where there is none: spaCy looks for `model`, so it cannot raise."""
        return self._model

    def _take(self, model: Model) -> None:
        """Predict by this model. A warning where `set_ents` has no meaning for it."""
        self._model = model
        if self.set_ents and not isinstance(model, SlotModel):
            warnings.warn(
                f"The component '{self.name}' sets no entities: its model is for labels, which go to doc.cats. "
                "Leave set_ents out, or give a model for slots.",
                stacklevel=3,
            )

    def _given(self) -> Model:
        if self._model is None:
            where = f"there is no folder {self.folder}" if self.folder else "no folder was given"
            raise ModelError(f"The component '{self.name}' has no model: {where}. {_ADVICE}")
        return self._model

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels or slots that can be predicted; none where there is no model yet, which spaCy asks too."""
        if self._model is None:
            return ()
        return self._model.slots if isinstance(self._model, SlotModel) else self._model.labels

    def __call__(self, doc: Doc) -> Doc:
        """The document with predictions. ModelError."""
        self._predict([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _BATCH) -> Iterator[Doc]:
        """The documents with predictions, a batch at a time. What fails goes to the pipeline's error handler."""
        handle = self.get_error_handler()
        for docs in minibatch(stream, size=batch_size):
            try:
                self._predict(docs)
            except Exception as error:  # noqa: BLE001 - the pipeline's handler decides, and raises unless told otherwise
                handle(self.name, self, docs, error)
            else:
                yield from docs

    def _predict(self, docs: list[Doc]) -> None:
        model, texts = self._given(), [doc.text for doc in docs]
        if isinstance(model, SlotModel):
            for doc, found in zip(docs, model.predictions(texts), strict=True):
                self._set_spans(doc, found)
            return
        for doc, label, shares in zip(docs, model.predict(texts), model.predict_proba(texts), strict=True):
            for name, share in zip(model.labels, shares, strict=True):
                doc.cats[name] = 0.0 if label is None else float(share)

    def _set_spans(self, doc: Doc, found: SlotPrediction) -> None:
        kept = [
            (span, one)
            for one in found.spans
            if (span := doc.char_span(one.start, one.end, label=one.slot, alignment_mode=self.alignment_mode))
        ]
        attributes = {
            "characters": [[one.start, one.end] for _, one in kept],
            "scores": [one.confidence for _, one in kept],
        }
        spans = [span for span, _ in kept]
        doc.spans[self.spans_key] = SpanGroup(doc, name=self.spans_key, attrs=attributes, spans=spans)
        if self.set_ents:
            doc.set_ents(filter_spans(spans), default="unmodified")

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model as a folder. ModelError, InputError."""
        self._given().save(ensure_path(path))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> RuleComponent:
        """The component with the model of a folder. ModelError."""
        self._take(load(ensure_path(path)))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model as bytes. ModelError."""
        with temporary_folder() as folder:
            named = Path(folder) / "model"  # the model card has the folder's name as its title
            self._given().save(named)
            return zip_model(named)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> RuleComponent:
        """The component with the model of `to_bytes`. ModelError."""
        with temporary_folder() as folder:
            unzip_model(data, Path(folder))
            self._take(load(folder))
        return self


def write_pipeline(model: Path, folder: Path) -> None:
    """Write a pipeline whose one component is the model of a folder, which it contains. ModelError."""
    nlp = blank("xx")  # its words play no part: the model has a tokenizer of its own
    component = nlp.add_pipe("re2nn")
    cast(RuleComponent, component).from_disk(model)
    nlp.to_disk(folder)
