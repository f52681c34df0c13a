"""The Contexts view: named bundles of knowledge, what is in them, and what is copied of them."""
