"""Docstrings of public functions say which axes arrays have and which errors are raised; and this check can fail."""

from __future__ import annotations

from pathlib import Path

from architecture.docstrings import without_axes, without_errors

ROOT = Path(__file__).resolve().parents[2]


def test_functions_that_return_arrays_say_their_axes() -> None:
    assert without_axes(ROOT) == []


def test_functions_that_raise_the_packages_errors_name_them() -> None:
    assert without_errors(ROOT) == []


def test_planted_gaps_are_found(tmp_path: Path) -> None:
    core = tmp_path / "re2nn_core"
    core.mkdir()
    (core / "errors.py").write_text("class InputError(Exception):\n    pass\n", encoding="utf-8")
    (core / "a.py").write_text(
        'def scores(x) -> Floats:\n    """Of each text."""\n'
        'def good(x) -> NDArray[np.float64]:\n    """[texts, labels]: of each text."""\n'
        'def check(x):\n    """Nothing."""\n    raise InputError("x")\n'
        'def checked(x):\n    """InputError for x."""\n    raise InputError("x")\n'
        "def _own(x) -> Tensor:\n    raise InputError\n",
        encoding="utf-8",
    )
    assert without_axes(tmp_path) == ["re2nn_core/a.py:1 scores"]
    assert without_errors(tmp_path) == ["re2nn_core/a.py:5 check: InputError"]
