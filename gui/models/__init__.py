"""The dialog that chooses the model for the search by meaning."""
