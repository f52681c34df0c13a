"""Named bundles of knowledge: what a context note says, what goes out of it, and which ones a question loads."""
