"""A reconstruction asks the tagger about each text once, and every set of rules too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from support.projects.finished_tagger_run import RULES, slot_corpus

from re2nn_core.reconstruction.slot_filling.conduct import reconstruct_slot_rules
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags, read_slot_system
from re2nn_core.text.tokenization import Tokenization


@pytest.mark.parametrize("learn_new_rules", [False, True])
def test_tagger_and_rules_predict_each_text_once(learn_new_rules: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = slot_corpus()
    bundle = untrained_tagger(read_slot_system(RULES, "", Tokenization())[0], corpus.texts)
    asked: list[Sequence[str]] = []
    read = Counter[tuple[str, str, int]]()
    of_system = SlotSystem.tags_of_words

    class Predictions:
        def tags(self, texts: Sequence[str], /) -> list[Tags]:
            asked.append(texts)
            return [prediction.tags for prediction in predict_tags(bundle, texts, with_confidences=False)]

        def rules(self, rules_text: str, logic_text: str, /) -> SlotSystem:
            return read_slot_system(rules_text, logic_text, Tokenization())[0]

    def counted(system: SlotSystem, sentences: Sequence[Sequence[str]]) -> list[Tags]:
        read[system.rules_text, system.logic_text, len(sentences)] += 1
        return of_system(system, sentences)

    monkeypatch.setattr(SlotSystem, "tags_of_words", counted)
    reconstruct_slot_rules(bundle, corpus, Predictions(), learn_new_rules=learn_new_rules)
    assert asked == [corpus.texts]
    assert {texts for _, _, texts in read} == {len(corpus)}
    assert set(read.values()) == {1}
