"""Hugging Face data sets as folders and zip files. Nothing in them is ever run."""
