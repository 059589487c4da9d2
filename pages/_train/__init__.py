"""Parts of the page Fine-tune."""
