"""The comparison of rules for labels."""

from __future__ import annotations

from dataclasses import replace

from pages._compare.reconstructed.shared import LabelComparison, reconstruction_of
from pages._compare.reconstructed.work import TITLE
from pages._shared.cached.models import material_of_project, network_of
from pages._shared.cached.systems import system_of_texts
from re2nn_core.services.rule_review.classification.accepted_changes import changed_labels
from re2nn_core.services.rule_review.classification.sizes import LabelSize, labels_of_size
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    reconstruct_run,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.sizes import fitting_sizes
from re2nn_core.services.values.stored import ProjectRecord, RunRecord


def compared(project: ProjectRecord, run: RunRecord) -> LabelComparison | None:
    """The comparison of a run; None where that did not work."""
    # As training sees them: labels that wait by the policy choose nothing.
    records = material_of_project(project).records
    kept = reconstruction_of(
        run,
        records,
        stored_reconstruction(run.folder),
        lambda run, records, on_progress, should_stop: reconstruct_run(
            run, records, on_progress=on_progress, should_stop=should_stop
        ),
        step=lambda done, total: f"Choosing words, step {done:,} of {total:,}" if done else TITLE,
        outdated="Texts or labels have changed since this was measured ({}). Figures and texts are from that time.",
    )
    if kept is None:
        return None
    written, reconstructed = network_of(run).written, kept.reconstruction
    return LabelComparison(
        run=run,
        found=reconstructed,
        original=system_of_texts(*written, project.tokenization),
        reconstructed=system_of_texts(reconstructed.rules_text, reconstructed.logic_text, project.tokenization),
        trained_on=written[0],
        records=records,
        fresh=kept.fits(records),
        sizes=fitting_sizes(
            kept.sizes, changed_labels(reconstructed, written[0], lowercase=project.tokenization.lowercase)
        ),
    )


def of_size(compared: LabelComparison, size: LabelSize) -> LabelComparison:
    """The comparison with the changes of a size alone."""
    written, tokenization = compared.original, compared.original.tokenization
    texts = written.rules_text, written.logic_text
    found = labels_of_size(compared.found, size, texts, lowercase=tokenization.lowercase)
    return replace(
        compared, found=found, reconstructed=system_of_texts(found.rules_text, found.logic_text, tokenization)
    )
