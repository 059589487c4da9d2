"""Networks that start equal to the rules: cell, soft logic, classifier, and bundles that travel."""
