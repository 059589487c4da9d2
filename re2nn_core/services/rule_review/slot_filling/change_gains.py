"""What each change of rules for slots gains behind others.

Changes of rules that claim the same words depend on each other: one that stops reading "from" as part of a destination
costs spans until another one finds these destinations. So a gain is that of the rules as they are by then, and only
texts that both the change and the last one made read otherwise are decided again.
"""

from __future__ import annotations

from collections.abc import Collection

from re2nn_core.automata.output_sets import RuleTags, TagReader
from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags
from re2nn_core.rules.logic.priorities import ordered_tags
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.training.span_scores import spans_in

_Claims = dict[str, RuleTags]  # what the rules that accept a text give its words, by their names


class ChangeGains:
    """Errors, which are missed or invented spans, in the annotated texts of train and dev; test texts count for
    nothing."""

    def __init__(
        self, texts: PredictedTags, written: SlotSystem, reconstructed: SlotSystem, changes: Collection[str]
    ) -> None:
        """`changes` names the changed and the new rules. No change is made yet."""
        own = [text for text in texts.annotated_texts() if text.labelled]
        self._words = [text.words for text in own]
        self._gold = [spans_in(text.tags) for text in own]
        trees = [*written.trees, *((name, tree) for name, tree in reconstructed.trees if name in changes)]
        # One order of tags and the priorities of all changes, so that a word is decided alike whichever are made.
        tags = ordered_tags([tags_of_tree(tree) for _, tree in (*reconstructed.trees, *written.trees)])
        self._decider = TagDecider(tags, reconstructed.logic, lambda: [tree for _, tree in trees])
        self._now: list[_Claims] = [{} for _ in own]
        after: dict[str, dict[int, RuleTags]] = {name: {} for name in changes}
        reader = TagReader([tree for _, tree in trees], [name for name, _ in trees])
        for text, found in enumerate(reader.read(self._words)):
            for one in found:
                name = trees[one.rule][0]
                if one.rule < len(written.trees):
                    self._now[text][name] = one
                else:
                    after[name][text] = one
        self._after = {name: dict(self._otherwise(name, now)) for name, now in after.items()}
        self._errors = [self._count(text, claims) for text, claims in enumerate(self._now)]
        self._gains: dict[str, dict[int, int]] = {name: {} for name in changes}

    def of(self, change: str) -> int:
        """How many errors fewer the change makes behind those that are made."""
        known = self._gains[change]
        for text in self._after[change].keys() - known.keys():
            known[text] = self._errors[text] - self._count(text, self._with(change, text))
        return sum(known.values())

    def make(self, change: str) -> None:
        """Gains are from now on those behind this change, too."""
        for text in self._after[change]:
            self._now[text] = self._with(change, text)
            self._errors[text] = self._count(text, self._now[text])
            for known in self._gains.values():
                known.pop(text, None)

    def _otherwise(self, name: str, after: dict[int, RuleTags]) -> list[tuple[int, RuleTags | None]]:
        """The texts whose words the changed rule gives other tags than the written one, with these tags."""
        found: list[tuple[int, RuleTags | None]] = []
        for text, claims in enumerate(self._now):
            was, now = claims.get(name), after.get(text)
            if (was and was.sets) != (now and now.sets):
                found.append((text, now))
        return found

    def _with(self, change: str, text: int) -> _Claims:
        claims, own = dict(self._now[text]), self._after[change][text]
        claims.pop(change, None)
        return claims if own is None else {**claims, change: own}

    def _count(self, text: int, claims: _Claims) -> int:
        tags = self._decider.decide(self._words[text], list(claims.values()))
        return len(spans_in(tags) ^ self._gold[text])
