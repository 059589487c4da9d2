"""Rules as automata and transducers to look at, and the certificate that the untrained network equals them.

Drawing itself belongs to plots.
"""
