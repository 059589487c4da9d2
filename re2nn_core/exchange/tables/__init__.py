"""Plain tables: cells, headers, columns, and the formats that hold nothing else."""
