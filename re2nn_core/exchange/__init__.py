"""Import and export of tables of texts (CSV, TSV, JSON lines, plain lines, Parquet) and of texts with spans (JSON
lines, CoNLL)."""
