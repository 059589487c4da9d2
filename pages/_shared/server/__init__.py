"""What the server asks of a request before any route of it answers."""
