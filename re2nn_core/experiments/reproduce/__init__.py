"""The tables and figures of both papers as data, what runs their cells, and what they look like beside ours."""
