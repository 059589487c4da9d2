"""The weighted automaton inside a trained network: weights, thresholds, edges, word sets and their names."""
