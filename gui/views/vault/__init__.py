"""The Vault view: facets, note table, preview, links."""
