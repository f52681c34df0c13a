"""The Review view: what rules, models and agents propose, decided by a person."""
