"""Projects: where was I? Cards of own projects and samples; new ones from a file or an archive."""

from __future__ import annotations

from pages._projects.cards import own_projects, sample_projects
from pages._projects.forms import new_project
from pages._shared.catalog import PROJECTS
from pages._shared.components.bar import draw_bar
from pages._shared.drawing import messages

draw_bar(PROJECTS)

with messages.guard("Loading the projects"):
    own_projects()
with messages.guard("Loading the sample projects"):
    sample_projects()
new_project()
