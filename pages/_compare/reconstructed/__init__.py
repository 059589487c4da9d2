"""The comparison behind the page for each task, made once and kept beside the network."""
