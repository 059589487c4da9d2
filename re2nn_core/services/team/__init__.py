"""The team: accounts and roles, who annotated what, agreement, review, which labels train, the log in plain words.

The queue of texts belongs to annotation.
"""
