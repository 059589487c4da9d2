"""How much an auxiliary encoder counts: no more than helps on texts that were held out.

Few texts teach it much where rules are weak and little where they are strong. Accuracy on dev with 1% of the texts of
the published sets (four seeds), without it, with all that it says, and with the share that does best on texts held out:
QC 67.1, 79.2, 79.4; ATIS 91.7, 90.5, 91.1; SMS 93.7, 93.6, 93.9.

Where there is a dev set, the largest share is taken that it can hardly tell from the one that is right most often:
which one that is hangs on two or three texts. With 10% of the texts, accuracy on the training texts that were not drawn
(seeds from 10 on), of the share right most often on dev, and of the largest near it: SMS 98.17, 98.26 (twelve seeds),
QC 87.3, 87.9 (two), ATIS 94.6, 94.6 (two). Where each network predictions for a part of so few texts, the share right
most often is taken, and of equal ones the smallest: the largest is right less often there (1% of SMS 94.1 in the place
of 94.7, ATIS 91.1 in both ways, four seeds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.training.examples import EncodedExamples, joint_accuracy_and_loss
from re2nn_core.training.standard_error import near_the_best

SHARES = (0.0, 0.25, 0.5, 1.0)
_COUNTS = {0.0: "counts nothing", 0.25: "counts a quarter", 0.5: "counts half", 1.0: "counts fully"}


def choose_auxiliary_weight(bundle: Bundle, held_out: Sequence[EncodedExamples]) -> tuple[Bundle, float | None]:
    """Where an auxiliary encoder stands beside the rules: the bundle with the share that suits texts held out, and the
    accuracy that it reaches. `held_out`: dev, on which all networks predict together (the largest share near the best
    one), or for each network its own part (the smallest of the best ones). Otherwise the bundle as it is."""
    apart_from_it = len(held_out) in (1, len(bundle.networks))  # one mean network has learned from every part
    if bundle.network.auxiliary is None or not apart_from_it or not any(map(len, held_out)):
        return bundle, None
    texts = sum(map(len, held_out))
    tried = {
        share: _right(with_config(bundle, replace(bundle.config, auxiliary_weight=share)), held_out) / texts
        for share in sorted({bundle.config.auxiliary_weight, *SHARES})
    }
    most = max(tried.values())
    if len(held_out) == 1:
        best = max(share for share, right in tried.items() if near_the_best(right, most, texts))
    else:
        best = min(share for share, right in tried.items() if right == most)
    chosen = with_config(bundle, replace(bundle.config, auxiliary_weight=best))
    return chosen, tried[best]


def auxiliary_in_words(config: NetworkConfig) -> str:
    """That an auxiliary encoder will be trained, and which, as a sentence; empty where none will."""
    if config.auxiliary == "none":
        return ""
    return f"An auxiliary encoder ({_kind(config)}) is trained; its scores are added to those of the rules."


def auxiliary_weight_in_words(bundle: Bundle, *, turns: bool) -> str:
    """The weight of the auxiliary encoder, as a sentence; empty where there is none. `turns`: each network
    predicted for its own part of the texts."""
    if bundle.network.auxiliary is None:
        return ""
    share = bundle.config.auxiliary_weight
    if turns:
        why = "the weight with the highest out-of-fold accuracy"
    else:
        why = "the largest weight that is not clearly worse than the best one on held-out texts"
    counts = _COUNTS.get(share, f"counts {share:g} times")
    return f"The auxiliary encoder ({_kind(bundle.config)}) {counts}: {why}."


def _kind(config: NetworkConfig) -> str:
    """`RNN`, `BiLSTM`."""
    return config.auxiliary.upper().replace("BI", "Bi")


def _right(bundle: Bundle, held_out: Sequence[EncodedExamples]) -> int:
    """How many held-out texts are predicted rightly."""
    groups = [bundle.networks] if len(held_out) == 1 else [[network] for network in bundle.networks]
    shares = [joint_accuracy_and_loss(group, own)[0] for group, own in zip(groups, held_out, strict=True)]
    return sum(round(share * len(own)) for share, own in zip(shares, held_out, strict=True))
