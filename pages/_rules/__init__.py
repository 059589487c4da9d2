"""Parts of the page Write rules."""
