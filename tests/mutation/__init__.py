"""Do the tests bite? Small faults are put into the kernel and the edition data.

`python -m tests.mutation` says how many were noticed. The faults are made in memory, one after the
other. For each of them a copy of the process, in which everything is imported and collected, runs
the checks that come to the faulty lines, the quick ones first, until one fails.
"""
