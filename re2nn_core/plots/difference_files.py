"""A difference written as SVG, PNG and DOT, by the ending of the name."""

from __future__ import annotations

from re2nn_core.plots.difference_dot import difference_dot
from re2nn_core.plots.difference_png import difference_png
from re2nn_core.plots.difference_scene import Scene
from re2nn_core.plots.difference_svg import difference_svg

FORMATS = ("svg", "png", "dot")


def difference_file(scene: Scene, titles: tuple[str, str], format: str) -> bytes:
    """The bytes of a file that shows both machines; `format` is one of FORMATS."""
    if format == "png":
        return difference_png(scene, titles)
    if format not in FORMATS:
        raise ValueError(f"the format must be one of {', '.join(FORMATS)} (got {format!r})")
    return (difference_svg if format == "svg" else difference_dot)(scene, titles).encode("utf-8")
