"""The queue of a project: laid out, texts leased and saved, counted, taken along in archives."""
