"""Many processes append live to the same games at once; nothing is lost, doubled or forked.

`python -m tests.contention` (`make contention`) races for a minute and prints the figures. The
suite holds a short version.
"""
