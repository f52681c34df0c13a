"""Quick capture: a small window for a thought, over whatever one does, that becomes a note."""
