"""Problem set 4, solved honestly in three styles."""
