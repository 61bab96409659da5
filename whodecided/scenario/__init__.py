"""Scenarios: games told by hand, and questions about them."""
