"""The published tables and figures as data: rows, columns, cells, systems."""
