"""The experiment command for slots."""
