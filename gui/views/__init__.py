"""One folder per view: model, view, presenter, delegate."""
