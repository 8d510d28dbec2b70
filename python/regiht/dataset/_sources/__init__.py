"""What can be converted: one file for each kind of file."""
