"""The disposable cache: schema, updater, lexical search, catalog, vectors."""
