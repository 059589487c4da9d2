"""Two versions of a project's rules side by side."""
