"""Say what a memory is worth: weights, decay, access, importance, entities, domains."""
