"""Run by Alembic, on the connection and in the transaction that engine/migrate.py gives it."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
