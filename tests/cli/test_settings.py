"""Every setting of network and training can be given as an option."""

from __future__ import annotations

from dataclasses import fields

import click
import pytest

from re2nn_core.commands.settings import setting_options
from re2nn_core.network.config import NetworkConfig
from re2nn_core.training.config import TrainConfig


@pytest.mark.parametrize("kind", [NetworkConfig, TrainConfig])
def test_every_setting_has_an_option_that_is_left_out_by_default(kind: type) -> None:
    options = {option.name: option for option in click.command(setting_options(lambda **_: None)).params}
    names = {field.name for field in fields(kind)}
    assert names - set(options) == set()
    assert {name for name in names if options[name].default not in (None, click.core.UNSET)} == set()
