"""Certificates as certify makes, checks and reports them, for labels and for slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.automaton_views.classification.certification import Certificate
    from re2nn_core.services.automaton_views.slot_filling.certification import SlotCertificate

AnyCertificate = Union["Certificate", "SlotCertificate"]


@dataclass(frozen=True)
class Certifying:
    """How the certificate of rules and texts is made, and a stored one checked: it, and why it does not hold. `lines`
    are what it says of outputs and texts, by name; `other` is what differs on a text."""

    make: Callable[[], AnyCertificate]
    check: Callable[[Path], tuple[AnyCertificate, Sequence[str]]]
    lines: Callable[[Any], dict[str, str]]
    other: str

    def written(self, output: Path | None) -> CommandResult:
        """A new certificate, in a file too."""
        from re2nn_core.services.automaton_views.classification.certification import write_certificate

        certificate = self.make()
        if output is not None:
            write_certificate(output, certificate)
        text = f"{self._found(certificate)}\nWritten to {output}."
        return CommandResult(_shape(certificate, (), output), text, ok=certificate.equal)

    def checked(self, path: Path) -> CommandResult:
        """Whether a stored certificate holds, and what it says or why not."""
        certificate, faults = self.check(path)
        if faults:
            reasons = "\n".join(f"  - {fault}" for fault in faults)
            text = f"{path} does not hold:\n{reasons}\nIf the change is intended, write it again with -o {path}"
        else:
            text = f"{path} holds.\n{self._found(certificate)}"
        return CommandResult(_shape(certificate, faults, path), text, ok=not faults)

    def _found(self, certificate: AnyCertificate) -> str:
        transitions, words = certificate.transitions_checked, certificate.words_checked
        states = (
            f"{counted(transitions, 'transition')} by {counted(words, 'word')} compared, largest difference "
            f"{certificate.max_error:g}"
        )
        lines = {"states": states, **self.lines(certificate)}
        width = max(map(len, lines)) + 1
        return "\n".join(
            [
                "The untrained network equals the rules." if certificate.equal else "Network and rules differ.",
                *(f"  {name + ':':<{width}} {reported}" for name, reported in lines.items()),
                *(f"  - {fault}" for fault in certificate.state_faults),
                *(f"  - other {self.other}: {text!r}" for text in certificate.differing),
            ]
        )


def _shape(certificate: AnyCertificate, faults: Sequence[str], path: Path | None) -> dict[str, Any]:
    """`holds` is the prediction: equal, and like the stored certificate where one was checked."""
    holds = certificate.equal and not faults
    return {"holds": holds, "faults": list(faults), **asdict(certificate), "file": str(path)}
