"""A review of changes as HTML: the rule with its changes, the verdict, what was learned, the texts; the whole page.

Not here: drawings of automata (plots), and which changes and texts there are (services/rule_review).
"""
