"""The whole store as one file, and back."""
