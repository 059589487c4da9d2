"""Networks and their settings as values, as services give them to pages."""

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import AUXILIARY_ENCODERS, NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import OnProgress

__all__ = ["AUXILIARY_ENCODERS", "Bundle", "NetworkConfig", "OnProgress", "TaggerBundle", "TaggerConfig"]
