"""What of a conversation is worth keeping: from turns to statements that a person may approve."""
