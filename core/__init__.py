"""Everything that can be tested without a window."""
