"""Why one text gets its prediction, why it does not get another, and the smallest change that would bring it.

Figures over many texts belong to prediction.
"""
