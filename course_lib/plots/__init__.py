"""The lectures' figures, a file a lecture: each function draws data that a notebook has computed (`picture`)."""
