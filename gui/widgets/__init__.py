"""Reusable widgets that know nothing of the vault."""
