"""One use case a module: what the pages and the command line call."""
