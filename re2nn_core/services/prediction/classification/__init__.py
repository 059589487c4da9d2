"""Labels for many texts: rules, untrained and trained networks, evaluation, what each rule contributes."""
