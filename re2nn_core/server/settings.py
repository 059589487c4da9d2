"""What a server is started with. It goes to worker processes as JSON in the environment; the token does not."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.files import error_in_words

SETTINGS_VARIABLE, TOKEN_VARIABLE = "RE2NN_SERVE_SETTINGS", "RE2NN_SERVE_TOKEN"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_SHORTEST_TOKEN = 16


@dataclass(frozen=True)
class ServedRules:
    """Rules that predict by their automata. `tokenizer` as `re2nn.compile` takes it."""

    rules: str
    logic: str | None
    tokenizer: str
    lowercase: bool


@dataclass(frozen=True)
class Settings:
    """models: (name, folder), the first answers where a request names none; timeout: seconds; queue: texts that may
    wait; metrics: a folder in which the workers share their counts; token_file: empty for the variable or none;
    hosts: names under which the server may be asked, none for any."""

    models: tuple[tuple[str, str], ...]
    rules: ServedRules | None
    timeout: float
    queue: int
    metrics: str
    token_file: str = ""
    hosts: tuple[str, ...] = ()
    largest_body: int = 4_000_000
    most_texts: int = 1_000
    longest_text: int = 100_000
    longest_explained: int = 5_000

    @property
    def most_together(self) -> int:
        """Texts of a request. One of more than the queue holds would be told to try again, in vain."""
        return min(self.most_texts, self.queue)

    def to_environment(self) -> None:
        """Hand them on to worker processes."""
        os.environ[SETTINGS_VARIABLE] = json.dumps(asdict(self))


def from_environment() -> Settings:
    """The settings of this worker process."""
    stored = json.loads(os.environ[SETTINGS_VARIABLE])
    rules = stored["rules"]
    changed = {
        "models": tuple((name, folder) for name, folder in stored["models"]),
        "rules": None if rules is None else ServedRules(**rules),
        "hosts": tuple(stored["hosts"]),
    }
    return Settings(**(stored | changed))


def read_token(token_file: str) -> str:
    """The token that requests must have; empty for none. InputError for a file that cannot be used."""
    if not token_file:
        token, where = os.environ.get(TOKEN_VARIABLE, "").strip(), f"${TOKEN_VARIABLE}"
    else:
        where = token_file
        try:
            token = Path(token_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise InputError(
                f"{where}: the token cannot be read. {error_in_words(error)} Give the path of a file with the token."
            ) from None
        except UnicodeDecodeError:
            raise InputError(f"{where}: the file is not UTF-8 text. Write the token into it as text.") from None
        if not token:
            raise InputError(
                f"{where}: the file is empty. Write a token of {_SHORTEST_TOKEN} characters or more into it."
            )
    if token and (len(token) < _SHORTEST_TOKEN or not token.isascii() or len(token.split()) != 1):
        raise InputError(
            f"{where}: the token must have {_SHORTEST_TOKEN} ASCII characters or more, without blanks "
            f"(got {len(token)} characters)."
        )
    return token
