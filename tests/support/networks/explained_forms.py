"""A text to explain, and forms of networks that explain it."""

from __future__ import annotations

TEXT = "how much is the flight to oslo"


FORMS: tuple[dict[str, object], ...] = (
    {},
    {"cell": "gru"},
    {"bidirectional": True},
    {"machines": "label"},
    {"decomposed": False, "train_words": False},
    {"extra_states": 2},
    {"scoring": "viterbi"},
    {"aggregation": "layers"},
    {"auxiliary": "rnn", "auxiliary_states": 3, "dimensions": 4},
    {"copies": 2},
)
