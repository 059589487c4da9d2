"""What texts can tell apart: shares of correct predictions within one standard error of the best one are as good as it.

The one-standard-error rule of Breiman et al., Classification and Regression Trees, 1984. There it takes the simplest of
what is near the best; here what has been found to do best on other texts, whatever a few lucky ones of dev say.
"""

from __future__ import annotations

import math

_ROUNDING = 1e-9  # shares are counts divided by their number


def near_the_best(share: float, best: float, texts: int) -> bool:
    """Whether so many texts can hardly tell a share of correct predictions, from 0 to 1, from the best one."""
    return share >= best - math.sqrt(best * (1 - best) / max(texts, 1)) - _ROUNDING
