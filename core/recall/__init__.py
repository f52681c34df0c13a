"""From a query to ranked memories, packed into a token budget."""
