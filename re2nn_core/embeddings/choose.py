"""The word vectors of a network, from the source that the user chose or from the best one at hand.

Whatever the source, the rows are moved so that their mean is zero and scaled so that their mean length is one:
then a network can be trained alike on any of them, and a row of zeros stands for "nothing known". The unknown
kinds of the vocabulary have such a row. A word the source does not have takes the mean of the words that it has
and that are spelled alike; where there are none, it has a row of zeros as well. The message says how many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.builtin import NAME as BUILTIN
from re2nn_core.embeddings.builtin import default_vectors, spelling_vectors
from re2nn_core.embeddings.encoder_files import EncoderUnavailable, encoder_is_installed
from re2nn_core.embeddings.vectors import read_vectors
from re2nn_core.errors import InputError
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

SOURCES = ("auto", "none", "encoder", "builtin")
ENCODER = "all-MiniLM-L6-v2"

_SPELLING_DIMENSIONS = 256
_ALIKE = 0.5
_NEIGHBOURS = 3
_CHUNK = 512
# Below this share of words the encoder has little to say about the texts' language.
_ENOUGH = 0.5
