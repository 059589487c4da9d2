"""Annotating texts: which text comes next, alone or from a team's queue, and many predictions accepted at once.

Agreement, review and which labels train belong to team.
"""
