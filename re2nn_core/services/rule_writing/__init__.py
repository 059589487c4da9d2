"""What an analyst needs while writing rules: coverage on texts, sentences that rules must match, saving, history.

Figures of networks belong to prediction, differences of two rule sets to rule_difference.
"""
