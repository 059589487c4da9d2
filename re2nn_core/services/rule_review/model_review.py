"""The review of a model: the changes that are recommended, its document, and what accepting changes does to the files
of rules and logic, as a unified diff for `patch -p1` and `git apply`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff

from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_effects import best_first, held_count
from re2nn_core.services.rule_review.decisions import UNDECIDED, ChangeDecision, LearnedChange, learned_change
from re2nn_core.services.rule_review.patterns import LeftOut
from re2nn_core.services.rule_review.review_document import (
    WHOLE,
    ReviewDocument,
    ReviewMaterial,
    counted_repairs,
    review_document,
    weakness_in,
)
from re2nn_core.services.rule_review.split_roles import held_name
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

NO_HELD_OUT = "There are no held-out texts, so no change can be recommended."
_NAMED = 10  # changes in a sentence
ALONE, REPAIRED = (0, 60), (60, 100)  # parts of the progress: what each change does alone, and what it repairs
AS_LEARNED, RECOMMENDED_FORMS = (0, 50), (50, 100)  # both parts, of the forms in which new rules are measured
NO_NEWLINE = "\\ No newline at end of file\n"


@dataclass(frozen=True)
class ModelReview:
    """A reconstruction that is reviewed: what a document is made of, how changes are accepted (by name; some of them
    with the text that somebody gave them), and the files that they are accepted into, by name. `in_forms`: what a
    document is made of where some new rules have other texts."""

    material: ReviewMaterial
    accept: Callable[[Collection[str], Mapping[str, str]], Acceptance]
    files: Mapping[str, str]
    in_forms: Callable[[Mapping[str, str]], ReviewMaterial]

    @property
    def changes(self) -> tuple[LearnedChange, ...]:
        """The changes, each told from others of its rule."""
        trees = ((name, *self.material.trees(name)) for name in self.material.effects if name != WHOLE)
        return tuple(learned_change(name, before, after) for name, before, after in trees if after is not None)

    def patch(self, names: Collection[str], edited: Mapping[str, str]) -> tuple[str, Acceptance]:
        """What accepting some changes does to the files, as a unified diff."""
        accepted = self.accept(names, edited)
        return rule_patch(self.files, rule_files(accepted.rules_text, accepted.logic_text)), accepted


def rule_files(rules_text: str, logic_text: str) -> dict[str, str]:
    """Rules and logic under the names of their files in a model's folder."""
    return {"rules.txt": rules_text, "logic.toml": logic_text}


def recommended_document(
    review: ModelReview, *, title: str, subject: str, decisions: Mapping[str, ChangeDecision]
) -> ReviewDocument:
    """A review whose new rules are in their recommended form where nobody decided otherwise."""
    left_out = _left_out(review.material, decisions)
    material = _in_forms(review, left_out)
    return review_document(material, title=title, subject=subject, decisions=decisions, left_out=left_out)


def _left_out(material: ReviewMaterial, decisions: Mapping[str, ChangeDecision]) -> dict[str, LeftOut]:
    """What is left out of new rules that nobody accepted, or that were accepted without it."""
    found: dict[str, LeftOut] = {}
    for name, effect in material.effects.items():
        decision, patterns = decisions.get(name, UNDECIDED), material.patterns(name)
        better = None if patterns is None else patterns.better
        if better is not None and (not decision.state.taken or decision.text == better.text):
            found[name] = LeftOut(better, held_count(effect, material.held))
    return found


def _in_forms(review: ModelReview, left_out: Mapping[str, LeftOut]) -> ReviewMaterial:
    forms = {name: one.better.text for name, one in left_out.items()}
    return review.in_forms(forms) if forms else review.material


@dataclass(frozen=True)
class Recommended:
    """Which changes are recommended where nobody has decided anything, best first, of so many `changes`; `held` is
    what the held-out texts are called that decide, empty where there are none. `repair`: some of them are for what they
    repair of others. `files`: rules and label logic with these alone."""

    names: tuple[str, ...]
    changes: int
    held: str
    repair: bool = False
    files: tuple[str, str] = ("", "")

    @property
    def in_words(self) -> str:
        """How many, and why."""
        if not self.held:
            return NO_HELD_OUT
        changes, count = counted(self.changes, "change"), len(self.names)
        if not count:
            return f"None of {changes} is recommended: none gains clearly by itself on {self.held}."
        verb, each = ("is", "it") if count == 1 else ("are", "each")
        repairs = ", or repairs what another of them breaks" if self.repair else ""
        named = first_names(self.names, _NAMED)
        return (
            f"{count:,} of {changes} {verb} recommended ({named}): {each} gains clearly by itself on "
            f"{self.held}{repairs}."
        )


def recommended_changes(review: ModelReview) -> Recommended | None:
    """The changes that gain by themselves on held-out texts, hardly by chance, and those that repair what these break;
    None where changes cannot be told apart, and where there are none."""
    left_out = _left_out(review.material, {})
    material = _in_forms(review, left_out)
    if not material.effects or WHOLE in material.effects:
        return None
    repairs = counted_repairs(material, {}, {name: weakness_in(material, name) for name in material.effects})
    names = best_first(material.effects, material.order, material.held)
    own = tuple(name for name in names if repairs.stands(name) or repairs.clearly(name))
    repair = not all(map(repairs.stands, own))
    done = review.accept(own, {name: left_out[name].better.text for name in own if name in left_out})
    held = held_name(material.split or "", len(material.held))
    return Recommended(own, len(names), held, repair, (done.rules_text, done.logic_text))


def rule_patch(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The differences of files, each given by its name with its text; empty where there are none."""
    return "".join(line for name, text in before.items() for line in _changes(name, text, after[name]))


def _changes(name: str, before: str, after: str) -> Iterator[str]:
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    for number, line in enumerate(lines):
        # The two names at the head end in a line break of their own.
        yield line if number < 2 or line.endswith("\n") else f"{line}\n{NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Lines as `patch` takes them: only a line feed ends one."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
