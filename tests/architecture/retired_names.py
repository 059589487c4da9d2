"""Identifiers that the glossary has retired, each with the name that took its place; and where one stands again."""

from __future__ import annotations

import re
import tokenize
from functools import cache
from pathlib import Path

from architecture.imports import source_files

# A pattern for whole identifiers: what to write. Names under which older versions stored something are data, not code.
RETIRED = {
    r"\w*[rR]ead_?back(?!up)\w*|reads_back|read_slots_back": "reconstruct, reconstruction, reconstructed",
    r"of_slots|is_slots|slot_answered|TASK_NAMES": "Task, by_task, services_for",
    r"Explorer|SlotExplorer": "ThresholdSweep",
    r"Reader|TransducerReader": "RecurrentLayer, TransducerLayer",
    r"Beside\w+|beside_(share|states|rate)|residual\w*": "auxiliary, auxiliary_weight, AuxiliaryEncoder",
    r"Desk|TeamDesk|ReviewDesk|Bench": "AnnotationQueueState, TeamQueueState, ReviewQueueState, SpanAnnotationState",
    r"Speakers|SlotSpeakers": "RulesAndModel",
    r"Answered|SlotAnswered": "Predictions, SpanPredictions, PseudoLabels",
    r"Taken|TakenOver|taking": "AcceptedChanges, accepting",
    r"Aim|AIMS|aimed(_training)?": "Objective, OBJECTIVES",
    r"Recipe|choose_recipe": "TrainingPlan, choose_training_plan",
    r"end_near_rules|Near": "end_faithful, FaithfulNetwork",
    r"hot_edits|gone_people|settle|late|tag_said|tag_ballot": "rule_patching, removed_members, resolve_training_labels",
    r"keep_blocks|leak|vector_rate|head_rate|encoder_rate|choose_doubt": "the settings of network/configuration",
    r"Wish|wish|draw_wish": "ComparisonRequest, request",
    r"[lL]eaky_?\w*": "clamp_with_slope, clamp_gradient",
    r"_?(fired|fired_in|fired_codes|hits|accept_hits|label_hits|slot_hits)|Fired|\w*Hits": "matched, matches",
    r"\w+_told|_?(told|untold|said|unsaid)|_?(told|said)_\w+|_?(TOLD|SAID)|_?(Told|Said)\w*": (
        "reported, listed, message, in_words; what it holds"
    ),
    r"judged\w*|_?\w+_judged|Judged": "annotated, team_annotations, evaluated",
    r"_?aims?|\w*_aim|_?aim_\w+|_?AIM(S|_\w+)?": "objective",
    r"Standing|sure_percent|doubles": "ChangeStatus, confidence_percent, duplicates",
    r"(?i:_?(no_)?answer(s|ed|ing|less)?)|\w+_answers?|answers?_\w+|[a-z]*Answer(s|Change|ed)?": (
        "prediction, predicted; annotation; CommandResult; response"
    ),
    r"(with)?_?sureness|surely|unsure": "token_confidences, with_confidences; beyond_error",
    r"_?doubts?|DOUBTS|DOUBTFUL|Doubt|_DOUBT": "UncertainToken, minimum_confidence",
    r"\w*(judgements|JUDGEMENTS)|judge_\w+|draw_judging|Judge": "annotations, annotate, ANNOTATION_EVENTS",
    r"Tell|_?tell_\w+|_tellers?|_tell|tell": "OnProgress, report_progress, report_...",
    r"_?(speak|speaks|speaker|speakers|speaking|spoken)(_\w+)?|_?SPEAK(S|ERS)": (
        "rules_for, matching, decided, predicting_rules_option"
    ),
    r"_?settled?(_\w+)?|is_settled|\w*SETTLED?": "resolve_flag, RESOLVE, adjudicated",
    r"_?(find_|is_)?idle(_\w+)?|IDLE|_ALL_IDLE|IdleRule": "dead_or_subsumed, unused, without_effect",
    r"(put_)?asides?": "flag_text, flagged, moved",
    r"gone(_with_texts)?|(PERHAPS_)?GONE": "removed",
    r"_?mend(ed)?(_\w+)?": "repair, repaired",
    r"_?[sS]trokes?": "KeyPress, key_presses",
    r"unmarked|_UNMARKED|marked_(project|texts)|marks_of_rule|RuleMarks|send_to_marking|MARKING": (
        "unannotated, annotated, spans_of_rule"
    ),
    r"FEWEST_WON": "fixed; broken",
}
# Why a retired identifier may stand all the same.
ALLOWED: dict[str, str] = {"tell": "the method of files"}


def retired(root: Path) -> list[str]:
    """Each retired identifier in the application, with its place and what to write."""
    return [fault for path in source_files(root) for fault in _of(path, path.relative_to(root).as_posix())]


def _of(path: Path, name: str) -> list[str]:
    found = []
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            instead = _instead_of(token.string) if token.type == tokenize.NAME else None
            if instead is not None and token.string not in ALLOWED:
                found.append(f"{name}:{token.start[0]}: {token.string} (write {instead})")
    return found


@cache
def _instead_of(identifier: str) -> str | None:
    return next((instead for pattern, instead in RETIRED.items() if re.fullmatch(pattern, identifier)), None)
