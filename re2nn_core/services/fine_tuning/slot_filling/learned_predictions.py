"""The reconstruction of a tagger whose weights are no rules, or whose rules can begin better: a linear layer or an
auxiliary encoder beside rules that training kept, or word classes that annotated texts extend. A network of the rules
alone, with these classes, learns what such a tagger predicts, and is reconstructed in its place.

The annotated texts teach their own spans, others the tagger's. Of both reconstructions, that of the tagger with
proposed rules (rule_reconstruction) and that of the network, the one of the higher F1 on dev is kept. Flight slots,
measured on its dev texts (written 68.4): objective accuracy, tagger 87.7, 71.0 / 75.3; interpretable, three seeds, 75.2
on average and 78.7 through such a network. Without dev nothing could decide: MITR, 1,000 texts, F1 on these texts 74.1
/ 83.1, on others 69.9 / 69.6. A tagger that has learned from thousands of texts is not read twice for the classes
alone: ATIS 91.7 / 91.6, in twice the time.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from re2nn_core.errors import Cancelled
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.reconstruction.progress import STEPS, OnProgress, part_of
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.fine_tuning.slot_filling.objectives import RULES_ALONE, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.rules import with_extended_classes
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    SlotReconstruction,
    TaggerPredictions,
    reconstruct_slots,
)
from re2nn_core.text.corpus import Corpus, Example

MOST_TEXTS = 2_500  # that are learned from: the time of a training grows with them
LEAST_TEXTS, LEAST_DEV = 40, 20  # annotated ones
SEED = 0
# Where its parts begin and end: classes are extended, the tagger is read, a network learns, and is read.
EXTENDED, FOUND, LEARNED, READ = (0, 15), (15, 40), (40, 85), (85, 100)


def reconstruct_tagger(
    bundle: TaggerBundle,
    corpus: Corpus,
    *,
    on_progress: OnProgress | None = None,
    predictions: TaggerPredictions | None = None,
    stop: Stop | None = None,
) -> SlotReconstruction:
    """The rules that a tagger has learned, as `reconstruct_slots` finds them, or those of a network of its rules that
    has learned what the tagger predicts, where these reach more. `predictions`: the tagger's, None to ask it.
    Once `stop` is asked to, what was found by then is kept. InputError without annotated texts."""
    predictions, stop = predictions or TaggerPredictions(bundle), stop or Stop()
    own = predictions.rules(bundle.parts.rules_text, bundle.parts.logic_text)
    adds = bundle.learned.kept_rules and not predictions.add_nothing(corpus.texts)
    extended = None
    if adds or sum(map(_is_annotated, corpus)) <= MOST_TEXTS:
        extended = with_extended_classes(corpus, own, on_progress=part_of(on_progress, EXTENDED), stop=stop)
    texts = _taught(corpus, predictions) if adds or (extended and extended.steps) else []
    progress = part_of(on_progress, FOUND if texts else (EXTENDED[1] if extended else 0, STEPS))
    read = partial(reconstruct_slots, corpus=corpus, extended=extended, predictions=predictions, stop=stop)
    found = read(bundle.learned, on_progress=progress)
    if extended is None or not texts:
        return found
    try:
        student = _student(predictions, extended.rules_text, texts, part_of(on_progress, LEARNED), stop)
    except Cancelled:
        return found
    if student.kept_rules or stop.asked():
        return found
    other = read(student, on_progress=part_of(on_progress, READ))
    return other if _reached(other) > _reached(found) else found


def _taught(corpus: Corpus, predictions: TaggerPredictions) -> list[Example]:
    """Texts with the spans that are to be learned, annotated ones of dev among them; no test text. No text at all
    where too few of train or dev are annotated."""
    annotated = [example for example in corpus if _is_annotated(example)]
    dev = sum(example.split == "dev" for example in annotated)
    if dev < LEAST_DEV or len(annotated) - dev < LEAST_TEXTS:
        return []
    others = [
        replace(example, spans=tuple(predicted.spans), split="train")
        for example, predicted in zip(corpus, predictions.of(corpus.texts), strict=True)
        if example.split not in ("dev", "test") and example.spans is None
    ]
    learned = random.Random(SEED).sample(others, min(len(others), max(0, MOST_TEXTS - len(annotated))))
    return [*annotated, *learned]


def _is_annotated(example: Example) -> bool:
    return example.split != "test" and example.spans is not None


def _student(
    predictions: TaggerPredictions, rules_text: str, texts: Sequence[Example], on_progress: OnProgress, stop: Stop
) -> TaggerBundle:
    """A network of these rules with the tagger's priorities, trained on these texts so that it can be read as rules.
    Cancelled once `stop` is asked to."""
    system = predictions.rules(rules_text, predictions.bundle.parts.logic_text)
    network = replace(RULES_ALONE, seed=SEED)
    training = replace(slot_training("interpretable", len(texts)), seed=SEED)
    with tempfile.TemporaryDirectory() as folder:
        train_tagger(
            system,
            Corpus(tuple(texts)),
            network,
            training,
            folder=Path(folder),
            on_epoch=lambda epoch, _: on_progress(epoch.epoch, training.epochs),
            should_stop=stop.asked,
        )
        return load_tagger(Path(folder))


def _reached(found: SlotReconstruction) -> float:
    """F1 on dev."""
    dev = next((scores.reconstructed for scores in found.scores if scores.split == "dev"), None)
    return dev.f1 if dev is not None else 0.0
