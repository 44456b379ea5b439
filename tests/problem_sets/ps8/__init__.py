"""Problem set 8, solved honestly in three styles."""
