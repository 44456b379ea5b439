"""Problem set 7, solved honestly in three styles."""
