"""Parts of pages that people operate: the bar, the editor, grids, keys."""
