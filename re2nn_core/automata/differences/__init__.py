"""Two machines laid over one another: which states are one, what came and went, and which changes a sentence shows.

The sentences themselves, of rules and labels, belong to services/rule_difference.
"""
