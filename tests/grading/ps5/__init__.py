"""Problem set 5, solved honestly in three styles."""
