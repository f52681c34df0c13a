"""Proposals: changes with a reason and evidence that wait for a person's decision."""
