"""Predictions of rules and networks for many texts, and how often they are correct.

Why one text gets its prediction belongs to explanation.
"""
