"""The database itself: SQLite or PostgreSQL, opening, migrations, transactions, fairness, many rows at once.

It knows the schema and no table's meaning.
"""
