"""Files of tools for annotation: Label Studio, Prodigy, doccano, spaCy, CoNLL."""
