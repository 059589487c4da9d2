"""Networks and their settings as values, as services give them to pages."""

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import AUXILIARY_ENCODERS, NetworkConfig
from re2nn_core.network.configuration.setting_titles import TITLES as SETTING_TITLES
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import OnProgress

__all__ = [
    "AUXILIARY_ENCODERS",
    "SETTING_TITLES",
    "Bundle",
    "NetworkConfig",
    "OnProgress",
    "TaggerBundle",
    "TaggerConfig",
    "setting_in_words",
]
