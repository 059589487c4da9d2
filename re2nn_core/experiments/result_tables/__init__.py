"""Files of results and the tables made of them."""
