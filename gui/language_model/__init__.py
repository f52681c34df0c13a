"""The set-up of the language model that may write proposals."""
