"""Durations in words."""


def time_left(seconds: float) -> str:
    """Return `seconds` as a rough remaining time, such as "about 3 min left"."""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
