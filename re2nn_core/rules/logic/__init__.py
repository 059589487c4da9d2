"""Label logic and priorities between slots: formulas, their files, and from matches to one label."""
