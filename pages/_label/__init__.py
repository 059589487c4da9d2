"""Parts of the page Label."""
