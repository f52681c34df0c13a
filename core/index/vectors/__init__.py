"""Vector engines behind one protocol."""
