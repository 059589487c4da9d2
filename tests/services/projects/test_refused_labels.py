"""Labels that no rule can have are named before a project is made of their texts."""

from __future__ import annotations

import pytest

from re2nn_core.services.projects.refused_labels import refused_labels

SIGNS = 'A label may hold anything but the signs [ ] < > = ", and does not begin with ^.'


def test_labels_that_rules_can_have_are_not_named() -> None:
    assert refused_labels(["fare", "lost luggage", "退款", "a/b & c"]) == ""


@pytest.mark.parametrize("label", ["x <b>", "a[1]", 'the "x"', "a=b", "^a"])
def test_a_label_with_signs_of_the_rule_language_is_named(label: str) -> None:
    assert refused_labels(["fare", label]) == (
        f"No rule can be written for this label: “{label}”. {SIGNS} Rename this label in the file first."
    )


def test_of_many_the_first_are_named() -> None:
    said = refused_labels([f"<{number}>" for number in range(8)])
    assert said.startswith("No rule can be written for these labels: “<0>”, “<1>”")
    assert "“<5>” and 2 more. A label may hold" in said
