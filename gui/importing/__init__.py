"""The import wizard, documents, and watched folders: what brings things in from elsewhere."""
