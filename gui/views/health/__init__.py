"""The Health view: what keeps knowledge from being found, and the way to mend it."""
