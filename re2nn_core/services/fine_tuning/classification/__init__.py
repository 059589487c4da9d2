"""Training of rule systems for labels, and edits of the trained networks."""
