"""Rules as automata: position automata, deterministic automata, transducers, simulation, algebra, matching.

Numbers for a network belong to tensors.
"""
