"""How changes of rules for labels are accepted."""

from __future__ import annotations

from collections.abc import Collection

from pages._compare.accepting.accepted_changes import Accepting
from pages._compare.accepting.evaluation import LABELS
from pages._compare.reconstructed.shared import LabelComparison
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    accept,
    accept_all,
    is_merged,
)
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def merged(compared: LabelComparison) -> bool:
    """Whether several written rules came back as one, so that changes can be accepted only all at once."""
    return is_merged(compared.found, compared.trained_on, lowercase=compared.original.tokenization.lowercase)


def _accept(_: ProjectRecord, compared: LabelComparison, names: Collection[str], newest: RuleVersion) -> Acceptance:
    lowercase = compared.original.tokenization.lowercase
    if merged(compared):
        return accept_all(compared.found, compared.trained_on, lowercase=lowercase)
    return accept(
        compared.found,
        names,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        lowercase=lowercase,
    )


ACCEPTING = Accepting(
    LABELS,
    lambda compared: frozenset(rule.name for rule in compared.found.rules if not rule.kept_original),
    _accept,
    key="_take",
    title="Accept this change",
    whole=merged,
)
