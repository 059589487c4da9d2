"""The names behind the numbers of a ClassLabel, as data sets of Hugging Face keep them beside a column."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from re2nn_core.files import read_json


def class_label_names(schema: pa.Schema) -> dict[str, list[str]]:
    """The names of each column of ClassLabel, from what a file of Arrow or Parquet says of itself."""
    written = (schema.metadata or {}).get(b"huggingface")
    if not written:
        return {}
    try:
        return names_of_features(read_json(written)["info"]["features"])
    except (ValueError, KeyError, TypeError):
        return {}


def names_of_features(features: Any) -> dict[str, list[str]]:
    """The same from the features of a data set."""
    found = {key: _names_in(feature) for key, feature in features.items()} if isinstance(features, dict) else {}
    return {key: names for key, names in found.items() if names}


def _names_in(feature: Any) -> list[str]:
    """The names of a ClassLabel, alone or in a list."""
    if isinstance(feature, list):
        return _names_in(feature[0]) if feature else []
    if not isinstance(feature, dict):
        return []
    if feature.get("_type") == "ClassLabel":
        return _names_in_order(feature.get("names"))
    return _names_in(feature.get("feature"))


def _names_in_order(names: Any) -> list[str]:
    """The names of numbers from 0 on, given as a list or by their number; none where one is missing."""
    if isinstance(names, dict):
        names = [names.get(str(number)) for number in range(len(names))]
    whole = isinstance(names, list) and None not in names
    return [str(name) for name in names] if whole else []


def named_value(value: Any, names: list[str] | None) -> Any:
    """A value with the name for its number; -1 stands for no label."""
    if names is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [named_value(item, names) for item in value]
    if isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    return None if value in (None, -1) else value
