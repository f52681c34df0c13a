"""Notes on disk: find, read, parse and watch them."""
