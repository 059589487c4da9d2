"""How often rules and network are right, and how often they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted

NO_PREDICTION = "(no prediction)"


@dataclass(frozen=True)
class LabelScores:
    """Shares of 1; `support` is the number of texts that carry the label."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True)
class Scores:
    """`accuracy` is None where no text has a label. `confusion[i][j]` counts texts of `labels[i]` that were given
    `labels[j]`; NO_ANSWER stands last where it occurs."""

    accuracy: float | None
    per_label: tuple[LabelScores, ...]
    labels: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """`agree`: texts on which rules and network give the same prediction; `differing`: the places of the others."""

    sentences: int
    labelled: int
    agree: int
    rules: Scores
    network: Scores
    differing: tuple[int, ...]

    def __repr__(self) -> str:
        both = (self.rules.accuracy, self.network.accuracy)
        shares = ["none" if share is None else f"{share:.1%}" for share in both]
        return (
            f"<Evaluation: {counted(self.sentences, 'text')}, {self.labelled:,} labelled, "
            f"accuracy of rules {shares[0]}, of network {shares[1]}>"
        )


def evaluate_model(system: RuleSystem, corpus: Corpus, bundle: Bundle | None = None) -> Evaluation:
    """Rules against network (the exact untrained one unless given) on a corpus."""
    texts = corpus.texts
    by_rules = system.predictions(texts)
    by_network = predict(bundle if bundle is not None else untrained(system, texts), texts).predictions
    gold = [example.label for example in corpus]
    differing = tuple(i for i, (a, b) in enumerate(zip(by_rules, by_network, strict=True)) if a != b)
    return Evaluation(
        len(texts),
        sum(label is not None for label in gold),
        len(texts) - len(differing),
        score(gold, by_rules),
        score(gold, by_network),
        differing,
    )


def accuracy(gold: Sequence[str | None], predictions: Sequence[str | None]) -> float | None:
    """Share of labelled texts that got their label; None where none is labelled."""
    pairs = [(g, a) for g, a in zip(gold, predictions, strict=True) if g is not None]
    return sum(g == a for g, a in pairs) / len(pairs) if pairs else None


def score(gold: Sequence[str | None], predictions: Sequence[str | None]) -> Scores:
    """All figures of one system's predictions, over the texts that have a label."""
    pairs = [
        (g, a if a is not None else NO_PREDICTION) for g, a in zip(gold, predictions, strict=True) if g is not None
    ]
    if not pairs:
        return Scores(None, (), (), ())
    # Imported here: it takes a second, which a training and most pages need not wait for.
    from sklearn.metrics import precision_recall_fscore_support

    truth, given = [g for g, _ in pairs], [a for _, a in pairs]
    labels = sorted(set(truth) | set(given) - {NO_PREDICTION}) + ([NO_PREDICTION] if NO_PREDICTION in given else [])
    figures = zip(*precision_recall_fscore_support(truth, given, labels=labels, zero_division=0), strict=True)
    per_label = tuple(
        LabelScores(label, float(precision), float(recall), float(f1), int(support))
        for label, (precision, recall, f1, support) in zip(labels, figures, strict=True)
        if label != NO_PREDICTION
    )
    counts = Counter(pairs)
    return Scores(
        sum(g == a for g, a in pairs) / len(pairs),
        per_label,
        tuple(labels),
        tuple(tuple(counts[right, prediction] for prediction in labels) for right in labels),
    )
