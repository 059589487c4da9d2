"""Rules and a linear layer alone, without a trained network: what is fitted first, and kept where a trained network
with a layer is not right more often on the same held-out texts.

A network that is clearly behind after READ texts and EPOCHS epochs (training/loop.py) is not trained further. Held-out
texts, rules and layer alone / with a fully trained network: Flight intents, 311 texts, two seeds 88.1, 87.5 / 86.5,
86.5 (dev 88.2, 88.2 / 90.2, 87.3); ATIS, 200 texts, 94.0, 96.0 / the same, since the rules are kept; SMS, 200 texts,
97.0 / 97.0 (dev 95.2 / 94.8). With 200 texts of TREC the network gains: 77.0, 74.5 / 81.0, 79.5 (dev 77.2, 78.6 / 81.0,
81.4). All 15,000 texts of CLINC150: 97.9 either way (dev 96.7 and 96.8).

A training takes time in proportion to its texts, and gains no more than the errors that are left. So none is begun
where these are fewer than WORTH for each text that is learned from: 2.4% of the held-out texts of CLINC150, which would
take 1,444 seconds for nothing, 0.1% with 413 texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import Cancelled
from re2nn_core.network.auxiliary.text_linear import TextLinear
from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.ensemble import twin_of
from re2nn_core.services.fine_tuning.classification.learning import Attempt
from re2nn_core.services.fine_tuning.classification.linear_layer import LinearLayer
from re2nn_core.services.fine_tuning.classification.step_size import step_between
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import TrainingPart
from re2nn_core.training.learner import ShouldStop
from re2nn_core.training.loop import OnEpoch, WithoutTraining, measured_rules

WORTH = 2e-6  # errors, as a share of the held-out texts, for each text that is learned from

Fit = Callable[[Bundle], tuple[Bundle, LinearLayer | None]]


@dataclass(frozen=True)
class LinearAlone:
    """The untrained network of a bundle with a fitted layer, and no auxiliary encoder."""

    bundle: Bundle
    layer: LinearLayer

    @property
    def reached(self) -> WithoutTraining:
        """What a training is compared with while it runs."""
        return WithoutTraining(self.layer.gain.accuracy, self.layer.gain.texts)

    def kept_of(self, learned: Attempt, trained: LinearLayer | None) -> bool:
        """Whether this is kept in the place of what was learned, with the layer that was fitted to that."""
        if learned.result.given_up or not learned.bundle.trained:
            return True
        if trained is None or trained.right is None or self.layer.right is None:
            return False
        gain = step_between(1.0, trained.right, self.layer.right)
        return gain.fixed <= gain.broken

    def leaves_enough(self, texts: int) -> bool:
        """Whether so many texts are worth a training."""
        return 1 - self.layer.gain.accuracy >= WORTH * texts

    def in_words(self, learned: Attempt) -> str:
        """Why nothing else is kept, as a sentence."""
        if len(learned.result.history) == 1:
            return (
                "So few held-out texts are left incorrect by rules and a linear layer that nothing else is trained: "
                "the network keeps its transitions and has no auxiliary encoder."
            )
        epochs = counted(len(learned.result.history) - 1, "epoch")
        return (
            f"After {epochs} the trained network is not more accurate on held-out texts than rules and a "
            "linear layer alone, so the network keeps its transitions and has no auxiliary encoder."
        )


def linear_alone(bundle: Bundle, fit: Fit) -> LinearAlone | None:
    """None where a layer gains nothing for certain, or none is asked for, or where there is no auxiliary encoder: rules
    are reconstructed from what such a network learns. The bundle stays as it was. `fit`: choose_linear_layer on the
    texts of this training."""
    if bundle.network.linear is None or bundle.network.auxiliary is None:
        return None
    network = twin_of(bundle.network)
    vocabulary, labels = bundle.network.linear.by_word.shape
    network.auxiliary = None
    network.linear = TextLinear(vocabulary, network.reader.vectors.shape[1], labels)
    alone = replace(bundle, network=network)
    fitted, layer = fit(with_config(alone, replace(bundle.config, auxiliary="none")))
    return None if layer is None or not layer.weight else LinearAlone(fitted, layer)


def nothing_trained(
    bundle: Bundle,
    parts: Sequence[TrainingPart[FaRnn]],
    on_epoch: OnEpoch | None,
    should_stop: ShouldStop | None,
) -> Attempt:
    """The outcome of a training that is not begun: the figures of the rules alone. Cancelled when `should_stop()`."""
    if should_stop is not None and should_stop():
        raise Cancelled("training was cancelled")
    result = measured_rules(bundle.network, parts, TrainConfig(device=str(bundle.network.device)), on_epoch=on_epoch)
    return Attempt(replace(result, given_up=True), bundle, None)
