"""Training: where it runs."""
