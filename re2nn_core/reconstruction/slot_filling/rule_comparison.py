"""Reconstructed rules compared with the written ones: scores split by split, and what became of each rule."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from re2nn_core.reconstruction.slot_filling.change_choice import ChosenChanges
from re2nn_core.reconstruction.slot_filling.change_text import changes_in_words
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine
from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags, SlotRules, Tags
from re2nn_core.reconstruction.slot_filling.report import ExtendedRules, SlotRuleChange, SplitScores
from re2nn_core.rules.named_leaves import leaf_names, named_leaves
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.text.spans import token_spans
from re2nn_core.text.tagged_texts import TaggedText
from re2nn_core.training.span_scores import SpanScores, span_scores

TOO_LONG = "a change that corrects more texts is too long to be written as a rule"


def split_scores(
    texts: PredictedTags, original: Sequence[Tags], changed: Sequence[Tags], new: Sequence[Tags]
) -> Iterator[SplitScores]:
    """How well the written rules, the network, the changed rules and all reconstructed rules do, split by split."""
    rows = list(zip(texts.texts, zip(original, texts.by_network, changed, new, strict=True), strict=True))
    for split in ("dev", "train", "test"):
        own = [row for example, row in zip(texts.corpus, rows, strict=True) if (example.split or "train") == split]
        if own:
            yield _scores_of(split, own)


def _scores_of(split: str, rows: Sequence[tuple[TaggedText, tuple[Tags, Tags, Tags, Tags]]]) -> SplitScores:
    """Of one split; a row holds a text and the tags of written rules, network, changed rules and all new rules."""
    pairs = [(network, now) for _, (_, network, _, now) in rows]
    gains = [_gain(text.tags, old, now) for text, (old, _, _, now) in rows]
    tokens = sum(len(text.tokens) for text, _ in rows)
    alike = sum(a == b for left, right in pairs for a, b in zip(left, right, strict=True))
    original, network, changed, new = (_measured([(text.tags, tags[side]) for text, tags in rows]) for side in range(4))
    return SplitScores(
        split,
        len(rows),
        original,
        network,
        changed,
        new,
        sum(left == right for left, right in pairs) / len(pairs),
        alike / tokens if tokens else 1.0,
        sum(text.tags is not None for text, _ in rows),
        sum(gain > 0 for gain in gains),
        sum(gain < 0 for gain in gains),
    )


def _gain(gold: Tags | None, old: Tags, new: Tags) -> int:
    """How many spans fewer are wrong or missing in a text."""
    if gold is None or old == new:
        return 0
    wanted, before, now = (set(token_spans(tags)) for tags in (gold, old, new))
    return len(before ^ wanted) - len(now ^ wanted)


def _measured(rows: Sequence[tuple[Tags | None, Tags]]) -> SpanScores | None:
    """The scores of the texts whose spans are marked; None without any."""
    marked = [(gold, given) for gold, given in rows if gold is not None]
    return span_scores(*zip(*marked, strict=True)) if marked else None


def slot_rule_changes(
    system: SlotRules,
    machines: Sequence[RuleMachine],
    chosen: ChosenChanges,
    new: SlotRules,
    unread: Collection[str],
    extended: ExtendedRules | None = None,
) -> Iterator[SlotRuleChange]:
    """What became of each written rule. `machines`: those that the changes began from; `unread`: rules of which a
    change could not be written; `extended`: what word classes brought the rules besides."""
    own = extended or ExtendedRules("", "")
    rules = {rule.name: rule for rule in new.ruleset.rules}
    trees = dict(new.trees)
    for number, (old, (_, tree)) in enumerate(zip(system.ruleset.rules, system.trees, strict=True)):
        rule, made = rules[old.name], chosen.changes[number]
        steps = [*([own.steps[old.name]] if old.name in own.steps else []), *changes_in_words(machines[number], made)]
        before, after = named_leaves(old.expanded), named_leaves(rule.expanded)
        tags = tags_of_tree(tree), tags_of_tree(trees[old.name])
        tags_added, tags_removed = (tuple(sorted(set(b) - set(a))) for a, b in (tags, tags[::-1]))
        yield SlotRuleChange(
            old.name,
            old.label,
            print_expression(old.tree),
            print_expression(rule.tree),
            not steps,
            tuple(steps),
            own.gains.get(old.name, 0) + sum(change.gain for change in made),
            leaf_names(after - before),
            leaf_names(before - after),
            tags_added,
            tags_removed,
            TOO_LONG if not steps and old.name in unread else "",
        )
