"""Passwords: made at random, hashed with Argon2id, compared in a time that tells nothing."""

from __future__ import annotations

import secrets
import unicodedata
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

LEAST, MOST = 12, 1000
# Without letters and digits that are taken for one another; 20 of 31 are 99 bits.
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 5
_HASHER = PasswordHasher()
# Each comparison takes 64 MiB for a moment, so not all that come at once are made at once.
_AT_ONCE = BoundedSemaphore(2)
# Compared with where there is no password, so that this takes as long as if there were one.
_NOBODY = _HASHER.hash(secrets.token_urlsafe(24))


def random_password() -> str:
    """A password that nobody guesses and everybody can copy: four groups of five."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def check_password(password: str, *others: str) -> str:
    """A password that a person has chosen; InputError where it is too short, too long or one of `others`."""
    if len(password) < LEAST:
        raise InputError(
            f"The new password has {counted(len(password), 'character')}; at least {LEAST} are needed. "
            "A few words that only you would put together are easy to keep in mind."
        )
    if len(password) > MOST:
        raise InputError(f"The new password has {len(password):,} characters; at most {MOST:,} can be used.")
    if password.casefold() in {other.casefold() for other in others}:
        raise InputError("The new password is your name or your old password. Choose another one.")
    return password


def hashed(password: str) -> str:
    """What is kept of a password: salt, parameters and hash in one line."""
    with _AT_ONCE:
        return _HASHER.hash(_plain(password))


def fits(password: str, kept: str | None) -> bool:
    """Whether this is the password. Without one that is kept the answer is no, after the same work."""
    usable = 0 < len(password) <= MOST
    with _AT_ONCE:
        try:
            right = _HASHER.verify(kept or _NOBODY, _plain(password if usable else "-"))
        except VerifyMismatchError:
            return False
        except (VerificationError, InvalidHashError):
            return False
    return right and usable and kept is not None


def is_outdated(kept: str) -> bool:
    """Whether a hash was made with weaker parameters than those of today."""
    return _HASHER.check_needs_rehash(kept)


def _plain(password: str) -> bytes:
    # The same letters come in other forms from other keyboards.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
