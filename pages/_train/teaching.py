"""With too few labels to train on: an auxiliary encoder is trained on the rules' predictions."""

from __future__ import annotations

from pages._shared.drawing.markup import draw_points, escape, html
from pages._train.start import draw_button, start_run
from re2nn_core.services.fine_tuning.classification.examples import LabelledExamples
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.training_plan import choose_training_plan
from re2nn_core.services.values.networks import NetworkConfig
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig


def draw_teaching(project: ProjectRecord, version: RuleVersion, examples: LabelledExamples, busy: bool) -> None:
    """What can be learned all the same, and the button that starts it."""
    more = " more" if examples.train else ""
    html(f"<p><b>Train without{more} labels.</b> {escape(_offer(examples))}</p>")
    device, asked = draw_button(version, busy)
    known = {"in_context": examples.encoder_knows, "predicted": len(examples.predicted)}
    train = TrainConfig(**training_settings_for("accuracy", examples.train, **known), unlabelled=1.0, device=device)
    recipe = choose_training_plan(train, examples.split, predicted=examples.predicted, auxiliary=True)
    draw_points("Training plan", recipe.reason)
    if asked:
        start_run(
            project,
            version,
            NetworkConfig(**settings_for("accuracy", examples.train, **known)),
            train,
            objective="accuracy",
        )


def _offer(examples: LabelledExamples) -> str:
    measured = (
        ""
        if examples.dev or examples.test
        else " Without labelled texts the result cannot be evaluated; label some texts soon."
    )
    labels = f" and your {counted(examples.train, 'label')}" if examples.train else ""
    predicted = counted(len(examples.predicted), "text")
    return (
        f"Your rules predict {predicted} without labels. An auxiliary encoder can be trained on these "
        f"predictions{labels} and generalise to other words; the rules stay unchanged.{measured}"
    )
