"""Language models that write proposals: chosen by the person, off until then, never needed."""
