"""What automata tell of rules before they are used: rules past the limits, captures that can be read in two ways,
texts left out without effect. What
is found on the syntax tree alone belongs to rules/warnings.
"""
