"""Reviewing what a network learned: the stored reconstruction, thresholds, learned edits and new rules one by one.

The reconstruction itself belongs to rule_reconstruction.
"""
