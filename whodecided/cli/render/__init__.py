"""Answers drawn for people on a terminal."""
