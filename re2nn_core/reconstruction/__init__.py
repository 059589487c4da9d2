"""From a trained network back to rules: arcs above a threshold, machines, expressions, a rule set."""
