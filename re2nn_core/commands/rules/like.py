"""like: which words are in the classes of like words that rules use."""

from __future__ import annotations

from pathlib import Path

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import read_label_texts
from re2nn_core.commands._common.options import PATH, ReadingOptions, data_options, json_option, tokenization_options
from re2nn_core.commands._common.slot_filling.data import read_slot_texts
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.files import write_whole
from re2nn_core.text.tokenization import Tokenization


@click.command("like", cls=GroupedCommand)
@click.argument("file", type=PATH)
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts, labelled or not.")
@click.option("--vectors", default="", help="A file (GloVe, word2vec), or builtin, encoder, static. [default: encoder]")
@click.option("--again", is_flag=True, help="Also renew the classes that are defined already.")
@click.option("-o", "--output", type=PATH, help="File for the rules with the definitions.")
@data_options
@tokenization_options
@json_option
def like_command(
    file: Path,
    data_path: Path,
    vectors: str,
    again: bool,
    output: Path | None,
    reading: ReadingOptions,
    tokenization: Tokenization | None,
) -> CommandResult:
    """Find the words of like meaning that rules ask for with @~refund:0.6@.

    The words whose vector is so near to the named one are written into the rules as the definition of a class, with the
    digest of the vectors, so that the rules stay the same until this is run again with --again. Without --vectors the
    sentence encoder is used where it is installed, else vectors made from the texts.

    Example: re2nn like rules.txt --data texts.tsv -o decided_rules.txt
    """
    from re2nn_core.rules.text_file import read_text_file
    from re2nn_core.rules.word_lists.content import read_rule_text
    from re2nn_core.services.rule_systems.slot_filling.sources import captures_in
    from re2nn_core.services.rule_writing.like_words import (
        decided,
        near_in_words,
        near_words,
        refuse_unreadable,
        too_wide,
        used_like_words,
    )
    from re2nn_core.text.tokenization import words_of_all

    refuse_outputs("output")
    cut = tokenization or Tokenization()
    rules = read_text_file(file, "a rule file")
    refuse_unreadable(rules)
    asked = used_like_words(rules)
    stubs = "".join(f"@{one.name}@=( {one.words[0]} )\n" for one in asked)
    captures = captures_in(stubs + read_rule_text(file), str(file), cut) if "[" in rules else False
    if captures:
        texts = read_slot_texts(data_path, reading, cut).corpus.texts
    else:
        texts = read_label_texts(data_path, reading).corpus.texts
    named = [word for one in asked for word in one.words]
    near = near_words(words_of_all(texts, cut), named, vectors, lowercase=cut.lowercase)
    written, found = decided(rules, near, again=again)
    if output is not None:
        write_whole(output, written)
    warnings = [near.known.remark] if near.known.remark else []
    warnings += [text for one in asked if (text := too_wide(one, found.get(one.name, ()), near)) is not None]
    data = {
        "vectors": {"name": near.known.name, "sha256": near.digest},
        "classes": {
            name: [{"word": one.word, "nearness": round(one.nearness, 4), "count": one.count} for one in words]
            for name, words in found.items()
        },
        "warnings": warnings,
    }
    lines = [near_in_words(name, words) for name, words in found.items()]
    lines += [f"Warning: {text}" for text in warnings]
    if not lines:
        lines = ["No class of like words is undecided. Write @~refund:0.6@ in a rule, or use --again."]
    elif output is None:
        lines.append(written)
    return CommandResult(data, "\n\n".join(lines))
