"""Rules found from predictions, and made better by training: a network of the rules that the search finds learns the
predictions too, and is reconstructed.

The search takes phrases one by one, so that each must set texts right by itself. A network weighs all words at once and
knows more of them by their vectors; what of it can be said in rules is added. A fifth of the texts decides what of the
network is taken. On dev, a BiGRU trained on all of train, search alone / with the network: ATIS, fidelity 94.8 / 96.2
by 43 / 68 words; TREC 77.8 / 82.4 by 387 / 494, and 82.2 by 361 where the search names half of the words. A network of
the written rules, without the search before it: 95.5 and 81.4; the search once more behind it adds nothing (95.6,
81.8).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.reconstruction.classification.conduct import reconstruct_rules
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
from re2nn_core.reconstruction.classification.rule_comparison import added_words
from re2nn_core.rules.names import LABEL
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.rule_reconstruction.classification.fidelity import (
    RulesOfSize,
    as_labels,
    deciding_split,
    splits_of,
)
from re2nn_core.services.rule_reconstruction.classification.from_predictions import (
    FoundRules,
    PredictedRules,
    search_predictions,
)
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_writing.classification.material import HELD_OUT
from re2nn_core.services.rule_writing.classification.proposals import NewRule
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch

LEAST_TEXTS = 100  # of fewer, a fifth is too small to decide anything
MOST_TEXTS = 6_000
DECIDE = 5  # every fifth text decides
SEED = 0
OnPart = Callable[[str, int, int], None]  # what is done, how far, of how much


@dataclass
class _Watch:
    """Who is told how far it is, and who says that time is over; the part that was reported last."""

    on_part: OnPart | None
    should_stop: Callable[[], bool] | None
    part: str = ""

    def on_search(self, fixed: int, wrong: int) -> None:
        self._report("finding rules", fixed, wrong)

    def on_epoch(self, epoch: Epoch, _best: int) -> None:
        self._report("training a network of the rules", epoch.epoch, TrainConfig().epochs)

    def on_progress(self, done: int, total: int) -> None:
        """Cancelled where time is over."""
        if self.should_stop is not None and self.should_stop():
            raise Cancelled("Reconstruction stopped.")
        self._report("reconstructing rules from it", done, total)

    def end(self) -> None:
        """Report the last part as done, which may have ended early."""
        if self.part:
            self._report(self.part, 1, 1)

    def _report(self, part: str, done: int, total: int) -> None:
        self.part = part
        if self.on_part is not None:
            self.on_part(part, done, total)


def rules_of_predictions(
    written: RuleSystem | None,
    corpus: Corpus,
    predicted: Sequence[str | None],
    tokenization: Tokenization,
    *,
    most_words: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_part: OnPart | None = None,
) -> PredictedRules:
    """Rules for the `predicted` labels of the texts of a corpus (None: no prediction), in addition to the `written`
    ones: those of `search_predictions`, and what a network of them learns from the predictions, where more texts of dev
    (of a corpus without dev and test: of every fifth text) get the model's prediction with it; without such texts it is
    kept. With `most_words` they name at most so many words that the written ones do not, half of them by the search;
    without, they are those with the fewest words that give as many of these texts the model's prediction. Once
    `should_stop` says so, what is found by then is kept.
    InputError where no text outside of dev and test has a prediction, and where there would be no rule at all."""
    watch = _Watch(on_part, should_stop)
    found = search_predictions(
        written, corpus, predicted, tokenization, should_stop=should_stop, on_progress=watch.on_search
    )
    watch.end()
    searched = found.within(most_words)
    if written is None and not searched.new_rules:
        raise InputError(_no_rule(found, most_words))
    kept = _with_network(found, searched, most_words, _learned_from(corpus, predicted), watch)
    return kept if most_words is not None else found.as_good(kept)


def _with_network(
    found: FoundRules, searched: PredictedRules, most_words: int | None, texts: Sequence[Example], watch: _Watch
) -> PredictedRules:
    """What a network of the found rules learns from these texts; what was `searched` where it agrees no more, and where
    there are too few texts or no time."""
    learned_labels = {example.label for example in texts if example.split == "train"}
    if found.stopped or len(texts) < LEAST_TEXTS or len(learned_labels) < 2:
        return searched
    first = searched if most_words is None else found.within(most_words // 2)
    left = MOST_WORDS if most_words is None else most_words - first.chosen.words
    try:
        learned = _learned(found, first, texts, left, watch)
    except Cancelled:
        return replace(searched, stopped=True)
    finally:
        watch.end()
    if learned is None:
        return searched
    return replace(searched, by_network=False) if _agree_as_much(searched, learned) else learned


def _no_rule(found: FoundRules, most_words: int | None) -> str:
    """Why there is no rule, and what to do."""
    if found.rules:
        least = counted(found.curve[1].words, "word")
        return f"The first rule that was found names {least}; at most {most_words} were allowed. Allow more words."
    if found.stopped:
        return "No rule was found in the time that was given. Give more time."
    texts = counted(found.learned_from, "text")
    return (
        f"No rule was found in the predictions of {texts}: no word or phrase distinguishes their labels. "
        "Give predictions of more texts, with at least two labels."
    )


def _learned_from(corpus: Corpus, predicted: Sequence[str | None]) -> list[Example]:
    """The texts whose predictions a network may learn, with these as their labels; every fifth decides. Predictions
    that cannot be the name of a label are left out, as the search does."""
    own = [
        replace(example, label=label)
        for example, label, split in zip(corpus, predicted, splits_of(corpus), strict=True)
        if label is not None and LABEL.fullmatch(label) and split not in HELD_OUT
    ]
    if len(own) > MOST_TEXTS:
        own = random.Random(SEED).sample(own, MOST_TEXTS)
    return [replace(one, split="dev" if place % DECIDE == 0 else "train") for place, one in enumerate(own)]


def _learned(
    found: FoundRules, first: PredictedRules, texts: Sequence[Example], most_words: int, watch: _Watch
) -> PredictedRules | None:
    """The rules of a network that begins as those found `first`; None where these are none. Cancelled."""
    if not first.new_rules and found.written is None:
        return None
    system, _ = read_system(first.rules_text, first.logic_text, found.tokenization)
    corpus = Corpus(tuple(texts))
    with tempfile.TemporaryDirectory() as folder:
        train_system(
            system,
            corpus,
            NetworkConfig(seed=SEED),
            TrainConfig(seed=SEED),
            folder=Path(folder),
            on_epoch=watch.on_epoch,
            should_stop=watch.should_stop,
        )
        bundle = load_bundle(Path(folder))
    labels = {example.text: example.label for example in texts}
    back = reconstruct_rules(
        bundle,
        corpus,
        lambda asked: [labels[text] for text in asked],
        on_progress=watch.on_progress,
        most_words=most_words,
    )
    return _compared(found, first, back.rules_text, back.logic_text)


def _compared(found: FoundRules, first: PredictedRules, rules_text: str, logic_text: str) -> PredictedRules:
    """Reconstructed rules beside the written ones."""
    system, _ = read_system(rules_text, logic_text, found.tokenization)
    written = RuleSet(()) if found.written is None else found.written.ruleset
    before = {rule.name: rule for rule in written.rules}
    new = tuple(NewRule(rule.label, rule.name, rule.tree) for rule in system.ruleset.rules if rule.name not in before)
    changed = tuple(rule.name for rule in system.ruleset.rules if _says_else(rule, before.get(rule.name)))
    words = added_words(written, system.ruleset)
    size = RulesOfSize(len(new), words, found.measured.of(as_labels(system.predictions(found.texts))))
    return replace(
        first,
        rules_text=rules_text,
        logic_text=logic_text,
        new_rules=new,
        curve=(*first.curve, size),
        chosen=size,
        changed=changed,
        by_network=True,
        begun=(first.rules_text, first.logic_text),
    )


def _says_else(rule: Rule, before: Rule | None) -> bool:
    return before is not None and rule.expanded != before.expanded


def _agree_as_much(searched: PredictedRules, learned: PredictedRules) -> bool:
    """Whether what the search found gives as many of the deciding texts the model's prediction."""
    split = deciding_split(searched.chosen.splits)
    return split is not None and searched.chosen.splits[split].fidelity >= learned.chosen.splits[split].fidelity
