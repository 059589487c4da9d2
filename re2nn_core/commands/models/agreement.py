"""How often rules and network agree, as evaluate reports it for labels and for slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.prediction.classification.evaluation import Evaluation
    from re2nn_core.services.prediction.slot_filling.evaluation import SlotEvaluation


def agreement_text(
    what: str,
    evaluation: Evaluation | SlotEvaluation,
    texts: Sequence[str],
    *,
    trained: bool,
    on_all: str = "",
    on_some: str = "",
) -> str:
    """On how many texts `what` is the same, and the first of the others. `on_all` and `on_some` stand behind it where
    there are none or some of these."""
    sentences = counted(evaluation.sentences, "sentence")
    if evaluation.agree == evaluation.sentences:
        every = "the one sentence" if evaluation.sentences == 1 else f"all {sentences}"
        return f"Rules and network give the same {what} on {every}{on_all}."
    line = f"Rules and network give the same {what} on {evaluation.agree:,} of {sentences}{on_some}"
    first = f"the first that differs: {texts[evaluation.differing[0]]!r}"
    if trained:
        return f"{line}; {first}."
    return f"{line}, though the network is untrained and should equal them; {first}. Please report this."
