"""How older databases become what `schema` describes; migrate.py runs it."""
