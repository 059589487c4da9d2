"""What the log alone says: tables derived from it again, and histories taken from one store to another."""
