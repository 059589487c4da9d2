"""Training that ends near rules (fidelity by design): what is read back from the network is what the network does.

1. The freely trained network is read back as rules: thresholds rule by rule, and new rules
(rule_reconstruction/classification/reconstruction.py). 2. The network of these rules is built, which predicts exactly
as they do, without a state head. 3. It is trained on, pulled towards the rules' weights of 0 and 1.
4. Its weights are drawn back towards the rules, in steps, until it gives their prediction on at least NEAR of the texts
   that it learned from and of the dev texts. Of the steps that do, the one that is best on dev is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from torch import Tensor

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.reconstruction.classification.report import Reconstruction, moved_of
from re2nn_core.services.fine_tuning.training_plan import Split
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.classification.untrained_network import ExampleEncoder, start_network
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples, TrainingPart, accuracy_and_loss
from re2nn_core.training.learner import parameters_of
from re2nn_core.training.loop import train_parts

NEAR = 0.97
L2_TO_INITIAL = 1e-3  # towards the rules' weights
EPOCHS, PATIENCE = 6, 4
STEPS = (1.0, 0.8, 0.6, 0.4, 0.2)  # shares of the way from the rules to the trained weights


@dataclass(frozen=True)
class FaithfulNetwork:
    """A network near rules. `dev`: share of right dev predictions; `agreement`: share of learned and dev texts on which
    it predicts as its rules do; `encode` turns texts into what it reads."""

    bundle: Bundle
    found: Reconstruction
    dev: float | None
    agreement: float
    encode: ExampleEncoder

    @property
    def in_words(self) -> str:
        """What was done, for the user."""
        return (
            f"Faithful training: {self.found.in_words} The network agrees with these rules on "
            f"{self.agreement:.1%} of the train and dev texts."
        )


def end_faithful(
    trained: Bundle,
    corpus: Corpus,
    split: Split,
    config: TrainConfig,
    contexts: Contexts,
    *,
    should_stop: Callable[[], bool] | None = None,
) -> FaithfulNetwork:
    """Bring a freely trained network near rules. Test texts take no part."""
    seen = [*(replace(e, split="train") for e in split.train), *(replace(e, split="dev") for e in split.dev)]
    found = reconstruct(trained, Corpus(tuple(seen)), simplify=False)  # arcs are to be trained on
    system, _ = read_system(found.rules_text, found.logic_text, trained.tokenization)
    learned = sorted({example.label for example in seen if example.label is not None})
    network_config = replace(trained.config, state_head=False, machines="rule", auxiliary="none", linear=False)
    bundle = start_network(system, corpus, network_config, learned, contexts)
    encode = ExampleEncoder(bundle, [*seen, *split.test], contexts)
    train, dev = encode(split.train), encode(split.dev)
    gentle = replace(
        config,
        l2_to_initial=max(config.l2_to_initial, L2_TO_INITIAL),
        head_learning_rate=0.0,
        epochs=min(config.epochs, EPOCHS),
        patience=min(config.patience, PATIENCE),
        copies=1,
        average="weights",
    )
    rules = parameters_of(bundle.network)
    train_parts(bundle.network, [TrainingPart(train, dev)], gentle, should_stop=should_stop)
    step, share, agreement = _drawn_back(bundle, rules, [*split.train, *split.dev], dev, system, encode)
    figures = {
        "written": {"rules": trained.rules_text, "logic": trained.logic_text},
        "moved": {name: asdict(moved) for name, moved in moved_of(found).items()},
    }
    done = replace(bundle, trained=step > 0, figures=figures)
    return FaithfulNetwork(done, found, share if len(dev) else None, agreement, encode)


def _drawn_back(
    bundle: Bundle,
    rules: dict[str, Tensor],
    texts: Sequence[Example],
    dev: EncodedExamples,
    system: RuleSystem,
    encode: ExampleEncoder,
) -> tuple[float, float, float]:
    """Draw the network's weights back; the share of the way that is left, the share of right dev predictions, and the
    agreement with the rules."""
    network = bundle.network
    trained = parameters_of(network)
    predictions = system.predictions([example.text for example in texts])
    by_rules = encode([replace(e, label=prediction) for e, prediction in zip(texts, predictions, strict=True)])
    untouched, _ = accuracy_and_loss(_network_at(bundle, rules, trained, 0.0), dev, untrained=True)
    best = (untouched, 1.0, 0.0)  # right on dev, agreement, step
    for step in STEPS:
        moved = _network_at(bundle, rules, trained, step)
        agreement, _ = accuracy_and_loss(moved, by_rules)
        if agreement >= NEAR:
            right, _ = accuracy_and_loss(moved, dev)
            best = max(best, (right, agreement, step))
    _network_at(bundle, rules, trained, best[2])
    return best[2], best[0], best[1]


def _network_at(bundle: Bundle, rules: dict[str, Tensor], trained: dict[str, Tensor], step: float) -> FaRnn:
    """The network with weights so far on the way from the rules to the trained ones."""
    between = {name: rules[name].lerp(trained[name].to(rules[name].device), step) for name in rules}
    bundle.network.load_state_dict(between, strict=False)
    bundle.network.eval()
    return bundle.network
