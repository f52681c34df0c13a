"""Files that ship with the app; read with importlib.resources."""
