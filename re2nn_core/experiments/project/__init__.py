"""The user's own comparisons on a project: series, learning curves, systems side by side.

The papers' tables belong to reproduce.
"""
