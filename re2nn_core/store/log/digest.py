"""One number for many texts, by which the log can tell later that they are still the same.

Databases hold such numbers, so the way they are made never changes.
"""

from __future__ import annotations

import hashlib


class TextsDigest:
    """Texts go in one by one, in their order; blake2b of text, gold label and split, each with its length."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        self.count = 0

    def add(self, text: str, gold: str | None, split: str | None) -> None:
        self.count += 1
        parts = ("-" if part is None else f"{len(part)}:{part}" for part in (text, gold, split))
        self._hash.update(" ".join(parts).encode() + b"\n")

    def number(self) -> str:
        return self._hash.hexdigest()
