"""What the best single edit of each changed rule gains: which rule is worth being looked at first."""

from __future__ import annotations

from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.rules.read import read_rules
from re2nn_core.services.prediction.classification.predictor import OnProgress
from re2nn_core.services.rule_review.classification.learned_edits import offered_edits
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization


def best_edits(
    written: tuple[str, str],
    tokenization: Tokenization,
    found: Reconstruction,
    corpus: Corpus,
    *,
    on_progress: OnProgress | None = None,
) -> dict[str, int]:
    """How many more of the labelled texts that are no test texts the best edit of each changed rule sets right, made in
    the rules and logic that the network was trained from (`written`). 0 where no edit gains, or none can be proved;
    rules that came back under another name are left out."""
    bench = TextBench(corpus.texts, tokenization)
    before = analyse(bench, [example.label for example in corpus], *written)
    learned = read_rules(found.rules_text, lowercase=tokenization.lowercase).ruleset
    splits = [example.split for example in corpus]
    names = [rule.name for rule in found.rules if not rule.kept_original]
    gains: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        try:
            edits = offered_edits(before, learned, name, bench, splits).edits
        except StateBudgetError:
            edits = ()
        except InputError:  # machines of several rules: none of them has this name
            continue
        gains[name] = max(0, edits[0].right) if edits else 0
        if on_progress is not None:
            on_progress(number, len(names))
    return gains
