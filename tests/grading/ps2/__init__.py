"""Problem set 2 solved in three honestly different ways."""
