"""A fitted model in words and in files."""
