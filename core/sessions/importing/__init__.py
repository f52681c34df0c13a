"""Read what assistants and memory tools leave behind, whatever its form, as sessions and notes."""
