"""Why a rule accepts a sentence or does not, and the smallest change that makes it predict otherwise."""
