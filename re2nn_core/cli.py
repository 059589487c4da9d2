"""The command line: `re2nn COMMAND ...`.

Exit codes: 0 fine; 1 the prediction is no (faults found, not equivalent, answers differ, a certificate fails);
2 bad usage or input that cannot be used; 130 interrupted. With --json stdout holds exactly one JSON object,
{"error": "..."} where something is wrong; progress and warnings go to stderr.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Any

import click

from re2nn_core.commands._common.command_result import CommandResult, show
from re2nn_core.errors import Cancelled, Re2nnError
from re2nn_core.files import error_in_words, is_full
from re2nn_core.text.visible import visible

FINE, NO, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

_LONG, _LONGEST = 100, 1000  # letters of the sentence about a command
# Command -> the module of re2nn_core.commands that holds it; loaded when the command is called.
COMMANDS = {
    "app": "server.app",
    "help": "server.help",
    "check": "rules.check",
    "compile": "rules.compile",
    "draw": "rules.draw",
    "compare": "rules.compare",
    "diff": "rules.diff",
    "propose": "rules.propose",
    "like": "rules.like",
    "predict": "models.predict",
    "explain": "models.explain",
    "evaluate": "models.evaluate",
    "certify": "models.certify",
    "train": "models.train",
    "reconstruct": "models.reconstruct",
    "review": "models.review",
    "add-rules": "models.add_rules",
    "disable-rule": "models.disable_rule",
    "enable-rule": "models.enable_rule",
    "export-model": "models.export_model",
    "experiment": "experiments.experiment",
    "reproduce": "experiments.reproduce",
    "serve": "server.serve",
    "backup": "server.backup",
    "restore": "server.restore",
    "verify": "server.verify",
    "users": "team.users",
    "bench": "server.bench",
    "import": "data.import_project",
    "export": "data.export",
    "agreement": "team.agreement",
}

# The commands as the help lists them.
KINDS = {
    "Start": ("app", "help", "import", "export"),
    "Rules": ("check", "compile", "draw", "compare", "diff", "propose", "like"),
    "Models": ("train", "predict", "explain", "evaluate", "certify", "reconstruct", "review"),
    "Trained models": ("add-rules", "disable-rule", "enable-rule", "export-model"),
    "Team and server": ("serve", "users", "agreement", "backup", "restore", "verify", "bench"),
    "Published results": ("experiment", "reproduce"),
}


class Re2nnGroup(click.Group):
    """Loads a command when it is called, prints its Answer, turns errors into messages and exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the titles of KINDS, each with its whole first sentence."""
        for title, names in KINDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, _first_sentence(self.get_command(ctx, name))) for name in names])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(f"re2nn_core.commands.{COMMANDS[cmd_name]}"), f"{cmd_name.replace('-', '_')}_command"
        )
        return command

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in arguments
        try:
            outcome = super().main(arguments, *rest, **{**extra, "standalone_mode": False})
        except (click.Abort, KeyboardInterrupt):
            sys.exit(_refuse("Interrupted.", as_json, INTERRUPTED))
        except click.ClickException as error:
            sys.exit(_refuse_usage(error, as_json))
        except Cancelled:
            sys.exit(_refuse("Stopped. Run the same command to continue.", as_json, INTERRUPTED))
        except Re2nnError as error:
            # Some advice is given otherwise where there is an option in place of a list to choose from.
            sys.exit(_refuse(getattr(error, "for_command", str(error)), as_json))
        except OSError as error:
            sys.exit(_refuse(_file_trouble(error), as_json))
        if isinstance(outcome, CommandResult):
            show(outcome, as_json=as_json)
            sys.exit(FINE if outcome.ok else NO)
        sys.exit(outcome if isinstance(outcome, int) else FINE)


def _first_sentence(command: click.Command | None) -> str:
    """What a command does, without what follows a colon where the sentence is long."""
    sentence = "" if command is None else command.get_short_help_str(_LONGEST)
    return f"{sentence.partition(':')[0].removesuffix('.')}." if len(sentence) > _LONG else sentence


def _refuse(message: str, as_json: bool, code: int = UNUSABLE) -> int:
    if as_json:
        click.echo(json.dumps({"error": message}))
    else:
        click.echo(visible(f"Error: {message}"), err=True)
    return code


def _refuse_usage(error: click.ClickException, as_json: bool) -> int:
    """A wrong or missing option. Without --json click shows the usage line with it."""
    if as_json:
        return _refuse(error.format_message(), as_json)
    shown = StringIO()
    error.show(file=shown)
    click.echo(visible(shown.getvalue()), err=True, nl=False)
    return UNUSABLE


def _file_trouble(error: OSError) -> str:
    if is_full(error):
        return error_in_words(error)
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror or error}. Check the path and whether you may read and write there."


@click.group(cls=Re2nnGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="re2nn-studio", prog_name="re2nn")
def main() -> None:
    """Word-level rules that run as an exactly equal neural network: check, compile, draw and compare rules, predict
    labels and slots, train, and reconstruct rules from the trained network.

    Start with `re2nn check RULES`, or `re2nn app` for the application in the browser. Exit code 0: success, 1:
    negative result (for example a failed check), 2: wrong usage or unusable input.
    """
