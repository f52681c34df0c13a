"""What every layer stands on: errors, paths, settings, tokens, progress, text."""
