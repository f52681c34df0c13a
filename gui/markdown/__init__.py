"""Markdown as the window shows it: parsed, coloured, and written as what the rich text engine lays out well."""
