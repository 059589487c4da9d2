"""Import and export of tables of texts: CSV, TSV, JSON lines, plain lines and Parquet."""
