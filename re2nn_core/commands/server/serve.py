"""serve: models as an HTTP service."""

from __future__ import annotations

import errno
import socket
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult, show
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, logic_option, tokenization_options
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands.server.app import LOCAL, Port
from re2nn_core.errors import InputError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.server.settings import ServedRules


@click.command("serve", cls=GroupedCommand)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="[NAME=]DIR",
    help="Folder of a model, with its name in requests; may be given several times. [default name: the folder's]",
)
@click.option("--rules", "rules_path", type=PATH, help="A rule file: rules that predict without a network.")
@logic_option
@tokenization_options
@click.option("--port", type=Port(), metavar="NUMBER", default=8600, show_default=True)
@click.option("--address", default=LOCAL, show_default=True, help="The address to listen on.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that predict.")
@click.option(
    "--token-file", type=PATH, help="File with the token that requests must send. [default: $RE2NN_SERVE_TOKEN]"
)
@click.option(
    "--timeout", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True, help="Seconds a request may take."
)
@click.option(
    "--queue", type=click.IntRange(1), default=10_000, show_default=True, help="Texts that may wait, each worker."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the address instead of text.")
@with_sources
def serve_command(  # noqa: PLR0913 - one parameter an option
    sources: Sources,
    models: tuple[str, ...],
    port: int,
    address: str,
    workers: int,
    token_file: Path | None,
    timeout: float,
    queue: int,
    as_json: bool,
) -> int:
    """Serve models and rules over HTTP. Ctrl+C stops it.

    POST /v1/predict and /v1/explain, GET /v1/models, /healthz, /metrics (Prometheus) and /openapi.json; GET / shows
    how to call them. A model whose folder changes is loaded again. Beyond this machine a token is required.

    \b
    Example: re2nn serve --model model --port 8600
             curl localhost:8600/v1/predict -d '{"text": "two suitcases"}'
    """
    from re2nn_core.server.run import serve
    from re2nn_core.server.settings import LOCAL_HOSTS, TOKEN_VARIABLE, Settings, read_token

    named, rules = _named(models), _served_rules(sources)
    if not named and rules is None:
        raise InputError("Neither a model nor rules were given. Write --model DIR, or --rules FILE.")
    token = read_token("" if token_file is None else str(token_file))
    local = address in ("localhost", "::1") or address.startswith("127.")
    if not local and not token:
        raise InputError(
            f"{address} can be reached from other machines, so requests must have a token. Nothing was started.\n"
            f"Write one into a file and add --token-file FILE, or set the variable {TOKEN_VARIABLE}."
        )
    _refuse_taken(address, port)
    shown = f"http://{f'[{address}]' if ':' in address else address}:{port}"

    def started() -> None:
        show(CommandResult({"url": shown}, f"{shown}  (Ctrl+C stops it)"), as_json=as_json)

    with TemporaryDirectory(prefix="re2nn-serve-") as metrics:
        hosts = LOCAL_HOSTS if local and not token else ()
        file = "" if token_file is None else str(token_file.absolute())
        settings = Settings(named, rules, timeout, queue, metrics, file, hosts)
        serve(settings, address=address, port=port, workers=workers, on_start=started)
    return 0


def _named(models: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(name, folder) of each model. InputError."""
    found: dict[str, str] = {}
    for given in models:
        name, sign, folder = given.partition("=")
        if not sign or Path(given).exists():
            name, folder = Path(given).absolute().name, given
        if not name or not folder:
            raise InputError(f"--model {given}: a folder, or NAME=FOLDER, is expected.")
        if name in found:
            raise InputError(f"Two models are called {name!r}. Give each a name: --model NAME=DIR.")
        found[name] = str(Path(folder).absolute())
    return tuple(found.items())


def _served_rules(sources: Sources) -> ServedRules | None:
    """The rules that were given; None without. InputError for options of rules without rules."""
    from re2nn_core.server.settings import ServedRules

    if sources.rules is None:
        if sources.logic is not None or sources.tokenization is not None:
            raise InputError("--logic, --tokenizer and --no-lowercase belong to rules: write --rules FILE too.")
        return None
    chosen = sources.tokenization or Tokenization()
    logic = None if sources.logic is None else str(sources.logic.absolute())
    return ServedRules(str(sources.rules.absolute()), logic, chosen.kind, chosen.lowercase)


def _refuse_taken(address: str, port: int) -> None:
    """InputError for an address that is not this machine's, or a port that cannot be listened on."""
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no name of a computer"
        raise InputError(f"There is no address {address!r}: {reason}. Choose another --address.") from None
    try:
        with socket.socket(family[0], socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(family[4])
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise InputError(f"{address} is no address of this machine. Choose another --address.") from None
        raise InputError(f"Port {port} of {address} cannot be used: {error.strerror}. Choose another --port.") from None
