"""The log of all that is done, and the digest that stands in it. Tables that follow from it are outside."""
