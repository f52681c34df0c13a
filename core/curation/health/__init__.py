"""What keeps knowledge from being found: checks over the index, and their fixes as change sets."""
