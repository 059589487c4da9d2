"""A trained tagger read back as rules with captures, beside the rules it came from.

Rules are changed where the weights of their blocks say so (reconstruction/tag_moves.py), priorities are added where
rules contradict each other, and then rules that nobody has written are grown from what the network answers. All of it
is chosen on dev and training texts, and nothing is kept by which dev texts lose. Test texts are only measured.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.reconstruction.expressions.simplify import BUDGET
from re2nn_core.reconstruction.slot_filling.change_choice import Chosen, choose_changes
from re2nn_core.reconstruction.slot_filling.change_text import said_of
from re2nn_core.reconstruction.slot_filling.class_names import told_by_places
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.new_rules import NewRule, learn_rules
from re2nn_core.reconstruction.slot_filling.priorities import learn_priorities
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten, replaced
from re2nn_core.reconstruction.slot_filling.shorter_rules import shorter_rules
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, MarkedText, material
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.rules.logic.priorities import SlotLogic, write_slot_logic
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.tagging import slot_of, tags_of
from re2nn_core.services.prediction.slot_filling.encoding import TaggedText, predict_tags, tagged_texts
from re2nn_core.services.rule_reconstruction.classification.reconstruction import word_sets
from re2nn_core.services.rule_reconstruction.classification.rule_changes import accept_rules, wrapped
from re2nn_core.services.rule_systems.rule_pieces import named_leaves, pieces_in_words
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.spans import token_spans
from re2nn_core.training.span_scores import SpanScores, scores_of_counts

OnProgress = Callable[[int, int], None]
STEPS = 100
LOOKED = (5, 70)  # so far the progress is when rules are looked at, and when they are changed
TOO_LONG = "what would have set more texts right is too long to be written as a rule"
HEADING = "// Rules that nobody has written: learned from the answers of the trained network."


@dataclass(frozen=True)
class SlotRuleChange:
    """One rule before and after. `steps` say in words what was done, in the order in which it was; `gain`: how many
    missed or invented spans fewer there are in the texts it was chosen on. Words and tags are those that only one of
    the two rules names. `unread`: why what would have made the rule better could not be read back; else empty."""

    name: str
    label: str
    original_text: str
    reconstructed_text: str
    kept_original: bool
    steps: tuple[str, ...] = ()
    gain: int = 0
    words_added: tuple[str, ...] = ()
    words_removed: tuple[str, ...] = ()
    tags_added: tuple[str, ...] = ()
    tags_removed: tuple[str, ...] = ()
    unread: str = ""


@dataclass(frozen=True)
class LearnedRule:
    """A rule that nobody has written, and what it gains in the texts it was chosen on, all others made before it."""

    name: str
    slot: str
    text: str
    gain: int


@dataclass(frozen=True)
class SplitScores:
    """Scores of one split, None where nobody has marked a text of it; `marked` of its `texts` are. `changed`: the
    written rules as they were changed, without new ones. `agreement`: texts, `agreement_words`: words that network and
    reconstructed rules answer alike, as shares of 1. In so many marked texts fewer spans are wrong or missing by the
    reconstructed rules than by the written ones (`better`), or more of them (`worse`)."""

    split: str
    texts: int
    original: SpanScores | None
    network: SpanScores | None
    changed: SpanScores | None
    reconstructed: SpanScores | None
    agreement: float
    agreement_words: float
    marked: int
    better: int = 0
    worse: int = 0


@dataclass(frozen=True)
class SlotReconstruction:
    """The reconstructed rules and priorities, and how they compare. `scores` holds dev first, then train and test."""

    rules_text: str
    logic_text: str
    scores: tuple[SplitScores, ...]
    rules: tuple[SlotRuleChange, ...]
    new_rules: tuple[LearnedRule, ...]
    new_priorities: tuple[str, ...]

    @property
    def changed(self) -> int:
        """How many written rules came back in another form."""
        return sum(not rule.kept_original for rule in self.rules)


def reconstruct_slots(
    bundle: TaggerBundle, corpus: Corpus, *, on_progress: OnProgress | None = None, learn_new_rules: bool = True
) -> SlotReconstruction:
    """Read a tagger back. Changes are chosen on the marked dev and train texts (on all that are not test texts where
    there is no dev split); texts without marks help to find new rules. InputError without marked texts."""
    reader = _Reader(bundle, corpus, on_progress)
    chosen = reader.change_rules()
    priorities = learn_priorities(reader.ballot)
    between = reader.texts_of(chosen, ())
    rules: Sequence[NewRule] = ()
    if learn_new_rules:
        rules = reader.learn_rules()
        priorities += learn_priorities(reader.ballot)
    reader.tell(STEPS)
    rules_text, logic_text = reader.texts_of(chosen, rules)
    changed, new = (_read(bundle, *texts) for texts in (between, (rules_text, logic_text)))
    return SlotReconstruction(
        rules_text,
        logic_text,
        tuple(_scores(bundle, corpus, reader.system, changed, new)),
        tuple(_changes(reader.system, reader.machines, chosen, new, reader.unread)),
        tuple(LearnedRule(rule.name, rule.slot, print_expression(rule.tree), rule.gain) for rule in rules),
        tuple(f"{stronger} > {weaker}" for stronger, weaker in priorities),
    )


def _read(bundle: TaggerBundle, rules_text: str, logic_text: str) -> SlotSystem:
    parts = bundle.parts
    return read_slot_system(rules_text, logic_text, parts.tokenization, known_slots=parts.known_slots)[0]


class _Reader:
    """The rules of a bundle among the votes on a corpus, on the way from the written ones to the reconstructed ones."""

    def __init__(self, bundle: TaggerBundle, corpus: Corpus, on_progress: OnProgress | None) -> None:
        self.bundle, self.on_progress = bundle, on_progress
        self.system = _read(bundle, bundle.parts.rules_text, bundle.parts.logic_text)
        check_slots(bundle, corpus)
        texts = _marked_texts(bundle, corpus)
        tags = dict.fromkeys(bundle.network.tags) | dict.fromkeys(sorted({t for text in texts for t in text.tags}))
        kind = bundle.config.transducer
        self.machines = [rule_machine(tree, name, kind) for name, tree in self.system.trees]
        transducers = [machine.transducer for machine in self.machines]
        self.ballot = Ballot(material(texts, bundle.vocabulary, tuple(tags)), transducers, self.system.logic)
        lowercase = bundle.tokenization.lowercase
        self.rewriter = Rewriter(self.system.ruleset, bundle.parts.known_slots, lowercase=lowercase)
        self.weights = weighted_rules(bundle.networks, bundle.vocabulary)
        self.describe = word_sets(bundle, [text.words for text in texts]).describe
        self.unread: set[str] = set()  # rules of which a change that was worth it could not be written
        self.tell(LOOKED[0])

    def tell(self, step: int) -> None:
        if self.on_progress is not None:
            self.on_progress(step, STEPS)

    def change_rules(self) -> Chosen:
        """Change the written rules."""
        begin, end = LOOKED

        def looked(done: int, total: int) -> None:
            self.tell(begin + (end - begin) * done // max(1, total))

        return choose_changes(self.ballot, self.machines, self.weights, self._size, on_progress=looked)

    def _size(self, rule: int, machine: RuleMachine) -> int | None:
        found = self.rewriter.rewritten(self.system.ruleset.rules[rule], machine.transducer)
        if found is None:
            self.unread.add(self.system.ruleset.rules[rule].name)
        return None if found is None else size(found.tree)

    def _form(self, chosen: Chosen, rule: int) -> Rewritten | None:
        """A changed rule as it is printed: as short as it can be, its classes named after their strongest words."""
        machine = chosen.machines[rule]
        tell = told_by_places(machine, self.weights[rule], self.bundle.vocabulary, self.describe)
        written = self.system.ruleset.rules[rule]
        return self.rewriter.rewritten(written, machine.transducer, tell, effort=BUDGET)

    def learn_rules(self) -> list[NewRule]:
        """Add new rules."""
        taken = {entry.name for entry in self.system.ruleset.entries}

        def grown(done: int, total: int) -> None:
            self.tell(LOOKED[1] + (STEPS - LOOKED[1]) * done // max(1, total + 1))

        lowercase = self.bundle.tokenization.lowercase
        found = learn_rules(self.ballot, taken, lowercase=lowercase, describe=self.describe, on_progress=grown)
        return shorter_rules(found, lowercase=lowercase)

    def texts_of(self, chosen: Chosen, new: Sequence[NewRule]) -> tuple[str, str]:
        """Rules and priorities as they are now, in the place of those that were written."""
        system = self.system
        written = system.ruleset.rules
        forms = {
            written[rule].name: found for rule in chosen.changed if (found := self._form(chosen, rule)) is not None
        }
        canonical = write_rules(replaced(system.ruleset, forms))
        taken = accept_rules(
            canonical,
            list(forms),
            trained_on=system.rules_text,
            rules_text=system.rules_text,
            logic_text=system.logic_text,
            lowercase=self.bundle.tokenization.lowercase,
        )
        logic: SlotLogic = self.ballot.logic
        logic_text = system.logic_text if logic == system.logic else write_slot_logic(logic)
        return _with_new(taken.rules_text, new), logic_text


def _with_new(rules_text: str, new: Sequence[NewRule]) -> str:
    """The text with new rules behind it."""
    if not new:
        return rules_text
    lines = [rules_text.rstrip(), "", HEADING]
    for rule in new:
        for entry in rule.classes:
            lines += wrapped(f"@{entry.name}@=( {print_expression(entry.tree)} )", entry.note)
        lines += wrapped(f"{rule.name} := {print_expression(rule.tree)}")
    return "\n".join(lines) + "\n"


def _marked_texts(bundle: TaggerBundle, corpus: Corpus) -> list[MarkedText]:
    """The texts to choose on, and texts without marks to learn rules from: no test texts, and of dev marked ones."""
    usable = [e for e in corpus if e.split != "test" and (e.spans is not None or e.split != "dev")]
    if not any(example.spans is not None for example in usable):
        raise InputError(
            "None of the dev and train texts is marked, so nothing can be chosen.\n"
            "Mark some texts, or give a file of texts with spans."
        )
    has_dev = any(example.split == "dev" for example in usable)
    answers = predict_tags(bundle, [example.text for example in usable], sure=False)
    found = []
    for example, text, answer in zip(usable, tagged_texts(usable, bundle.tokenization), answers, strict=True):
        dev = example.split == "dev" or not has_dev
        tags = answer.tags if text.tags is None else text.tags
        found.append(MarkedText(text.words, tags, text.tags is not None, dev, answer.tags))
    return found


def check_slots(bundle: TaggerBundle, corpus: Corpus) -> None:
    """InputError where texts are marked, and with no slot that the network can give: it is the network of something
    else."""
    given = sorted({span.slot for example in corpus for span in example.spans or ()})
    known = list(dict.fromkeys(slot for tag in bundle.network.tags if (slot := slot_of(tag)) is not None))
    if given and not set(given) & set(known):
        raise InputError(
            f"None of these texts has a slot that the network can give: theirs are {first_names(given, 5)}, "
            f"the network's {first_names(known, 5)}.\nThis may be the network of another project. "
            "Give it texts of its own."
        )


def _scores(
    bundle: TaggerBundle, corpus: Corpus, original: SlotSystem, changed: SlotSystem, new: SlotSystem
) -> Iterator[SplitScores]:
    for split in ("dev", "train", "test"):
        part = [example for example in corpus if (example.split or "train") == split]
        if part:
            yield _scores_of(split, part, bundle, original, changed, new)


def _scores_of(split: str, part: Sequence[Example], bundle: TaggerBundle, *systems: SlotSystem) -> SplitScores:
    texts = tagged_texts(part, bundle.tokenization)
    words = [text.words for text in texts]
    by_network = [answer.tags for answer in predict_tags(bundle, [e.text for e in part], sure=False)]
    original, changed, new = (system.tags_of_words(words) for system in systems)
    pairs = list(zip(by_network, new, strict=True))
    gains = [_gain(*tags) for tags in zip([text.tags for text in texts], original, new, strict=True)]
    tokens = sum(map(len, words))
    alike = sum(a == b for left, right in pairs for a, b in zip(left, right, strict=True))
    return SplitScores(
        split,
        len(part),
        _measured(texts, original),
        _measured(texts, by_network),
        _measured(texts, changed),
        _measured(texts, new),
        sum(left == right for left, right in pairs) / len(pairs),
        alike / tokens if tokens else 1.0,
        sum(example.spans is not None for example in part),
        sum(gain > 0 for gain in gains),
        sum(gain < 0 for gain in gains),
    )


def _gain(gold: Tags | None, old: Tags, new: Tags) -> int:
    """How many spans fewer are wrong or missing in a text."""
    if gold is None or old == new:
        return 0
    wanted, before, now = (set(token_spans(tags)) for tags in (gold, old, new))
    return len(before ^ wanted) - len(now ^ wanted)


def _measured(texts: Sequence[TaggedText], answers: Sequence[Tags]) -> SpanScores | None:
    """The scores of span_scores; counted here, as the library that counts there takes long to come."""
    pairs = [(text.tags, given) for text, given in zip(texts, answers, strict=True) if text.tags is not None]
    if not pairs:
        return None
    spans = [(set(token_spans(gold)), set(token_spans(given))) for gold, given in pairs]
    there, found = (sum(len(pair[side]) for pair in spans) for side in (0, 1))
    return scores_of_counts(there, found, sum(len(gold & given) for gold, given in spans))


def _changes(
    system: SlotSystem, written: Sequence[RuleMachine], chosen: Chosen, new: SlotSystem, unread: Collection[str]
) -> Iterator[SlotRuleChange]:
    rules = {rule.name: rule for rule in new.ruleset.rules}
    trees = dict(new.trees)
    for number, (old, (_, tree)) in enumerate(zip(system.ruleset.rules, system.trees, strict=True)):
        rule, made = rules[old.name], chosen.changes[number]
        steps = said_of(written[number], made)
        before, after = named_leaves(old.expanded), named_leaves(rule.expanded)
        tags = tags_of(tree), tags_of(trees[old.name])
        tags_added, tags_removed = (tuple(sorted(set(b) - set(a))) for a, b in (tags, tags[::-1]))
        yield SlotRuleChange(
            old.name,
            old.label,
            print_expression(old.tree),
            print_expression(rule.tree),
            not made,
            tuple(steps),
            sum(change.gain for change in made),
            pieces_in_words(after - before),
            pieces_in_words(before - after),
            tags_added,
            tags_removed,
            TOO_LONG if not made and old.name in unread else "",
        )
