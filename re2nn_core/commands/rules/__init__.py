"""Commands on rule files alone: check, compile, draw, compare, diff."""
