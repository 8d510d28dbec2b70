"""Solves, alone and in numbers, and what comes of them."""
