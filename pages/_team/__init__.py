"""Parts of the page Team."""
