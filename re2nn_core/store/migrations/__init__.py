"""How older databases become what `schema` describes; engine/migrate.py runs it."""
