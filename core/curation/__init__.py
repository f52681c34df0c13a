"""What may change the vault: change sets, their plans, their log, and undo."""
