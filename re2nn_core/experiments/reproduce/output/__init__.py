"""Tables with what was measured, as text, data, pages and lists."""
