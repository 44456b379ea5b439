"""Problem set 6, solved honestly in three styles."""
