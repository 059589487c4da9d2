"""A project's texts made ready for rules that change all the time: cut into words once, each rule run once.

A rule's predictions are kept under its expanded tree, so after an edit only the rules that really changed are
compiled and run. That is what keeps an edit on 10,000 texts under half a second.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.cased_sentences import CasedSentences
from re2nn_core.text.tokenization import Tokenization, words_of_all

KEPT_BYTES = 64 * 2**20

Column = NDArray[np.bool_]  # [texts]


class TextBench:
    """Texts as words, and which of them each rule accepts. Safe to share between threads."""

    def __init__(self, texts: Sequence[str], tokenization: Tokenization) -> None:
        self.tokenization = tokenization
        self.sentences = words_of_all(texts, tokenization)
        self._cased = CasedSentences(texts, tokenization, self.sentences)
        self._columns: OrderedDict[Node, Column] = OrderedDict()
        self._most = max(256, KEPT_BYTES // max(1, len(self.sentences)))
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.sentences)

    def matched(self, rules: Sequence[Rule]) -> NDArray[np.bool_]:
        """[texts, rules]: True where the rule accepts the text. StateBudgetError for a rule past all
        bounds.
        """
        with self._lock:
            known = {rule.expanded: self._columns.get(rule.expanded) for rule in rules}
        missing = {rule.expanded: rule.name for rule in rules if known[rule.expanded] is None}
        known |= self._run(missing)
        self._keep(known)
        columns = [column for rule in rules if (column := known[rule.expanded]) is not None]
        # The columns lie one behind another in memory, since label logic reads them one by one.
        return np.stack(columns).T if columns else np.zeros((len(self), 0), dtype=np.bool_)

    def _run(self, trees: dict[Node, str]) -> dict[Node, Column]:
        if not trees:
            return {}
        matched = RuleMatcher(list(trees), list(trees.values())).matched(self._cased.for_trees(trees))
        return {tree: matched[:, place].copy() for place, tree in enumerate(trees)}

    def _keep(self, columns: dict[Node, Column | None]) -> None:
        with self._lock:
            for tree, column in columns.items():
                if column is not None:
                    self._columns[tree] = column
                    self._columns.move_to_end(tree)
            while len(self._columns) > self._most:
                self._columns.popitem(last=False)
