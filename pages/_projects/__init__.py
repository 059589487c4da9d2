"""Parts of the page Projects."""
