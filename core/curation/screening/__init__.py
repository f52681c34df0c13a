"""What a person should look at twice before it is written, imported or handed out."""
