"""Problem set 9, solved honestly in three styles."""
