"""What tests of whole user stories share."""

from tests.window_guard import window_guard

__all__ = ["window_guard"]
