"""Shared code of bench.py and soak.py."""
