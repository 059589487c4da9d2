"""Accepting changes: switches, conflicts, what they gain, saving as a new version."""
