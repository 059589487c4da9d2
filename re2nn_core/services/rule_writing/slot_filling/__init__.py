"""Coverage of rules with captures on texts with spans, their errors and disputes, and first rules for a new project."""
