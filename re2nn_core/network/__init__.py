"""Networks that start equal to the rules: recurrence, classifier, tagger, and bundles that travel.

How they are trained belongs to training.
"""
