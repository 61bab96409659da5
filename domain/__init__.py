"""What can happen in a game and what the rules say about it: pure values and functions."""
