"""Do the tests bite? Small faults are put into the kernel and the edition data.

`python -m tests.mutation` says how many were noticed. The faults are made in memory, one after the
other in one process, and taken back.
"""
