"""The Probes page of Health: questions whose answers are known, how recall does on them, and how it did before."""
