"""`--help` of commands with many options: in groups, common options first."""

from __future__ import annotations

import click

# Group -> its options as they are written, in the order of the help. `--help` of a GroupedCommand follows it.
GROUPS: dict[str, tuple[str, ...]] = {
    "Input": (
        *(
            "--text",
            "--project",
            "--rules",
            "--logic",
            "--logic-a",
            "--logic-b",
            "--rule",
            "--rule-b",
            "--label",
            "--slot",
        ),
        *("--data", "--train", "--dev", "--test", "--split", "--folder", "--add", "--hold-out", "--no-rules"),
        *("--portion", "--portions", "--examples", "--tokenizer", "--text-column", "--label-column", "--split-column"),
        *("--format", "--only", "--columns", "--take"),
    ),
    "Model": (
        *(
            "--model",
            "--predictions",
            "--prediction-column",
            "--from-predictions",
            "--baseline",
            "--most-words",
            "--most-seconds",
            "--vectors",
            "--auxiliary",
            "--linear",
            "--cell",
            "--bidirectional",
            "--rule-weight",
            "--betas",
        ),
        *("--automata", "--transducer", "--scoring", "--decoding", "--student", "--hidden", "--pooling"),
    ),
    "Training": (
        *("--objective", "--epochs", "--patience", "--batch-size", "--learning-rate", "--members", "--average"),
        *("--unlabelled", "--faithful", "--tune-encoder", "--quick", "--seeds", "--seed", "--device", "--threads"),
        *("--cores", "--minutes"),
    ),
    "Server": ("--port", "--engine", "--address", "--workers", "--token-file", "--timeout", "--queue"),
    "Output": (
        *(
            "--output",
            "--logic-output",
            "--overwrite",
            "--weights-output",
            "--predictions-output",
            "--html",
            "--patch",
            "--accept",
            "--check",
            "--svg",
            "--png",
            "--dot",
            "--figure",
        ),
        *("--every-label", "--leave-out", "--slot-blanks", "--most"),
        *("--fold", "--exact", "--all-overlaps", "--all-faults", "--show", "--verbose", "--json", "--help"),
    ),
    "Advanced": (
        *(
            "--task",
            "--ignore-slot-case",
            "--no-lowercase",
            "--encoding",
            "--header",
            "--strip-html",
            "--offsets",
            "--budget",
            "--person",
        ),
        *("--home", "--database", "--again", "--on-rest", "--mixed-vectors"),
        *("--embedding-learning-rate", "--head-learning-rate", "--encoder-learning-rate", "--auxiliary-learning-rate"),
        *("--decay", "--l2-to-initial", "--dropout", "--word-dropout", "--clamp-gradient-slope", "--logit-scale"),
        *(
            "--auxiliary-states",
            "--auxiliary-weight",
            "--tie-margin",
            "--extra-states",
            "--block-diagonal",
            "--decomposed",
            "--rank",
        ),
        *("--normalize", "--initial", "--train-words", "--train-wildcard", "--train-ends", "--state-head"),
        *("--aggregation", "--aggregation-activation", "--train-aggregation", "--activation", "--context-start"),
        *(
            "--threshold",
            "--minimum-confidence",
            "--detached",
            "--auxiliary-rules",
            "--linear-vectors",
            "--word-dimensions",
            "--rule-dimensions",
            "--start",
        ),
        *("--anneal", "--temperature", "--teacher", "--trust"),
    ),
}
_PLACES = {option: (group, place) for group, options in GROUPS.items() for place, option in enumerate(options)}


class GroupedCommand(click.Command):
    """A command whose help lists its options under the titles of GROUPS. What the table lacks is advanced."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups, those without an option left out; required options come first."""
        rows: dict[str, list[tuple[bool, int, tuple[str, str]]]] = {group: [] for group in GROUPS}
        for parameter in self.get_params(ctx):
            # Arguments stand in the line of usage, and have no words of their own.
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                group, place = _PLACES.get(long_name(parameter), ("Advanced", len(_PLACES)))
                rows[group].append((not parameter.required, place, record))
        for group, found in rows.items():
            if found:
                with formatter.section(f"{group} options"):
                    formatter.write_dl([record for _, _, record in sorted(found)])


def long_name(option: click.Parameter) -> str:
    """How an option is written in full, without its opposite: --header of --header/--no-header."""
    return max(option.opts, key=len)
