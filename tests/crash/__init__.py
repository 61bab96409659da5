"""The crash harness: work that is killed at random moments, and what must hold afterwards.

`python -m tests.crash --runs 1000` (`make crash`) kills a process at every kind of work in turn.
After each kill the log must verify, hold everything that was acknowledged, hold nothing twice, and
the same work must be able to go on. The suite holds a short version.
"""
