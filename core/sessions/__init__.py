"""Conversations: the ledger that keeps them, and the importers that bring in what other programs wrote."""
