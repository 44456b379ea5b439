"""Translation models: what they all answer to (`protocol`)."""
