"""Transducers of rules and slots, and the certificate for tags."""
