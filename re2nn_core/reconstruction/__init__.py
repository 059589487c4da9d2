"""From a trained network back to rules: weights above a threshold, automata, expressions, a rule set.

Loading and storing belong to services.
"""
