"""What users hand in: checked, and made into what the core takes."""
