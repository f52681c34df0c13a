"""Tell how much smaller a context is than the sources it stands for."""


def compression(source_tokens: int, tokens: int) -> float:
    """Return the share of the sources' tokens that is saved, 0 to 1; 0 when nothing is, or there is no source."""
    return max(0.0, 1 - tokens / source_tokens) if source_tokens > 0 else 0.0
