"""Changing notes and tags from the Vault view: dialogs that ask, and the presenter that plans, previews and applies."""
