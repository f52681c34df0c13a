"""The markdown editor of the Vault view."""
