"""Coverage of rules on labelled texts, edit by edit, and first rules for a new project."""
