"""Automata of rules and labels, and the certificate for labels."""
