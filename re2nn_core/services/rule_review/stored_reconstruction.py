"""The reconstruction of a run's rules, kept in the run's folder so that the page opens at once the next time.

The file holds the outcome with a fingerprint of the texts it was measured on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from re2nn_core.files import read_json_object
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.reconstruction.slot_filling.report import SlotReconstruction
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.fine_tuning.result_file import keep
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.rule_review.sizes import ReconstructionSize
from re2nn_core.store import TextRecord

FORMAT = 2
METHOD = 1  # one more whenever other changes, or another order of them, come of the same network and texts
ShouldStop = Callable[[], bool]
Found = TypeVar("Found")  # the dataclass of a reconstruction


@dataclass(frozen=True)
class StoredReconstruction(Generic[Found]):
    """A reconstruction, when it was made, and the fingerprint of the texts and labels it was measured on. `sizes`: with
    some of its changes; none where it has no changes, or a former version made it. `stopped`: somebody cancelled it, so
    that it has the changes found by then. `method`: which METHOD made it, 0 where that was not noted."""

    reconstruction: Found
    texts: str
    made_at: datetime
    sizes: tuple[ReconstructionSize[Any], ...] = ()
    stopped: bool = False
    method: int = METHOD

    @property
    def is_of_former_method(self) -> bool:
        """Whether this version of the code may find other changes, or order them otherwise."""
        return self.method != METHOD

    def fits(self, records: Sequence[TextRecord]) -> bool:
        """False once texts or labels have changed since."""
        return self.texts == fingerprint(records)


def read_stored(
    path: Path, read: Callable[[Mapping[str, Any]], Found], figures: Callable[[Mapping[str, Any]], Any]
) -> StoredReconstruction[Found] | None:
    """What a file holds, its reconstruction by `read`, and the `figures` of a split of its sizes; None where there is
    nothing, or nothing that this version can read."""
    try:
        values = read_json_object(path)
        if values.get("format") != FORMAT:
            return None
        return StoredReconstruction(
            read(values["reconstruction"]),
            str(values["texts"]),
            datetime.fromisoformat(values["made_at"]),
            tuple(_size(size, figures) for size in values.get("sizes", ())),
            bool(values.get("stopped", False)),
            int(values.get("method", 0)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # It costs seconds to make again, so a damaged file is as good as none.
        return None


def _size(values: Mapping[str, Any], figures: Callable[[Mapping[str, Any]], Any]) -> ReconstructionSize[Any]:
    return ReconstructionSize(tuple(values["names"]), int(values["words"]), tuple(map(figures, values["figures"])))


def refuse_nothing(found: Reconstruction | SlotReconstruction, stop: Stop) -> None:
    """Cancelled where work was to stop before it has found a change."""
    if not found.changed and not found.new_rules:
        stop.refuse()


def store_now(
    path: Path,
    found: Found,
    records: Sequence[TextRecord],
    sizes: tuple[ReconstructionSize[Any], ...],
    *,
    stopped: bool = False,
) -> StoredReconstruction[Found]:
    """Keep a reconstruction that was made of these texts just now, with its sizes."""
    made = StoredReconstruction(found, fingerprint(records), datetime.now(UTC), sizes, stopped)
    write_stored(path, made)
    return made


def write_stored(path: Path, made: StoredReconstruction[Found]) -> None:
    """Write the file, whole or not at all."""
    values = {
        "format": FORMAT,
        "texts": made.texts,
        "made_at": made.made_at.isoformat(),
        "reconstruction": asdict(cast(Any, made.reconstruction)),
        "sizes": [asdict(size) for size in made.sizes],
        "stopped": made.stopped,
        "method": made.method,
    }
    keep(path, values)
