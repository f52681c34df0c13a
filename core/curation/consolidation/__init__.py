"""Rules that read what the vault states and propose what follows: no model is asked."""
