"""What bench.py and soak.py are made of."""
