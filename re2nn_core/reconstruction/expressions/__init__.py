"""From minimal automata to short expressions: state elimination, repeats, factors, proofs of equal language.

Nothing here knows of weights.
"""
