"""The pages of the application: their files, titles and addresses, in the order of the work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSETS = Path(__file__).resolve().parent / "assets"
ICON = str(ASSETS / "icon.svg")


@dataclass(frozen=True)
class PageEntry:
    """One page; `question` is what it answers for the person in front of it."""

    file: str
    title: str
    icon: str
    question: str

    @property
    def exists(self) -> bool:
        return (ROOT / self.file).is_file()


PROJECTS = PageEntry("pages/projects.py", "Projects", ":material/folder_open:", "Where was I?")
RULES = PageEntry("pages/rules.py", "Write rules", ":material/edit_note:", "Does my rule say what I mean?")
AUTOMATON = PageEntry(
    "pages/automaton.py",
    "See automaton",
    ":material/account_tree:",
    "What does the machine do with my sentence?",
)
PREDICT = PageEntry("pages/predict.py", "Predict", ":material/play_circle:", "What do my rules say about new texts?")
LABEL = PageEntry("pages/label.py", "Label", ":material/check_circle:", "Is this right?")
TRAIN = PageEntry(
    "pages/train.py", "Fine-tune", ":material/tune:", "What will it learn from, and is it getting better?"
)
COMPARE = PageEntry(
    "pages/compare.py", "Compare", ":material/compare_arrows:", "What did training change, and do I agree?"
)
RESULTS = PageEntry(
    "pages/results.py", "Results", ":material/leaderboard:", "Which system is best, in the papers, here, on my texts?"
)

TEAM = PageEntry("pages/team.py", "Team", ":material/groups:", "How far are we, and do we agree?")

ENTRIES = (PROJECTS, RULES, AUTOMATON, PREDICT, LABEL, TRAIN, COMPARE, RESULTS, TEAM)
