"""Training of rule systems for slots."""
