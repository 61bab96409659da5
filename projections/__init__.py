"""Folds over events: control status, active player, visibility, and the tables built from them."""
