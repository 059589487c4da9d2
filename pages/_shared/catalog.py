"""The pages of the application: their files, titles and addresses, in the order of the work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSETS = Path(__file__).resolve().parent / "assets"
PRODUCT = "RE2NN Studio"
ICON = str(ASSETS / "icon.svg")


@dataclass(frozen=True)
class PageEntry:
    """One page; `purpose` says below its title what the page is for."""

    file: str
    title: str
    icon: str
    purpose: str

    @property
    def exists(self) -> bool:
        return (ROOT / self.file).is_file()


PROJECTS = PageEntry("pages/projects.py", "Projects", ":material/folder_open:", "Open or create a project")
RULES = PageEntry("pages/rules.py", "Write rules", ":material/edit_note:", "Write rules and see what they match")
AUTOMATON = PageEntry(
    "pages/automaton.py", "See automaton", ":material/account_tree:", "Step through a text in the automaton of a rule"
)
PREDICT = PageEntry(
    "pages/predict.py", "Predict", ":material/play_circle:", "Predict new texts and see why each is predicted so"
)
LABEL = PageEntry("pages/label.py", "Label", ":material/check_circle:", "Check and correct predictions")
TRAIN = PageEntry("pages/train.py", "Fine-tune", ":material/tune:", "Train the network of your rules")
COMPARE = PageEntry("pages/compare.py", "Compare", ":material/compare_arrows:", "Review what training changed")
RESULTS = PageEntry(
    "pages/results.py", "Results", ":material/leaderboard:", "Compare systems on published data and on your texts"
)
TEAM = PageEntry("pages/team.py", "Team", ":material/groups:", "Progress, agreement and review")

ENTRIES = (PROJECTS, RULES, AUTOMATON, PREDICT, LABEL, TRAIN, COMPARE, RESULTS, TEAM)
