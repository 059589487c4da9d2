"""Commands that bring projects and texts in and out: import, export."""
