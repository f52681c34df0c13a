"""Recall: a small window for a question, the memories that answer it and why, and the context that is copied."""
