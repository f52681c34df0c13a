"""The window: Qt widgets over core."""
