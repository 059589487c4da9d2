"""Memory that is freed and taken again with every step of a training.

The C library of Linux gives large blocks back to the system when they are freed, and the system clears each page before
it gives it out again: a tenth of a training on few texts (Flight intents, highest accuracy: 58.6 CPU seconds, 52.5
without).
"""

from __future__ import annotations

import ctypes
import platform

_TRIM, _MMAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
_LARGEST = 32 * 2**20  # bytes: the largest value that glibc takes for M_MMAP_THRESHOLD
_KEPT = 256 * 2**20  # bytes


def keep_freed_memory() -> bool:
    """Let this process keep what it frees, up to a quarter of a gigabyte; False where the C library is another one."""
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    return bool(library.mallopt(_MMAP, _LARGEST)) and bool(library.mallopt(_TRIM, _KEPT))
