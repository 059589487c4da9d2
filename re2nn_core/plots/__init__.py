"""Plain results in, a figure or DOT out."""
