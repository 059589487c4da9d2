"""What a network is trained for: to be reconstructed as rules, or to be right as often as it can."""

from __future__ import annotations

from typing import Literal

Objective = Literal["reading", "accuracy"]


OBJECTIVES: tuple[Objective, ...] = ("reading", "accuracy")
