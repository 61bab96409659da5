"""Invented games written down the way the Arena client writes its log.

Every log here is made up: cards, players and plays are ours, only the shape is Arena's. The demo
lives on them, and the tests of player control, which no public log shows.
"""
