"""Proof that a record is complete and unchanged: trees, checkpoints, verification, case bundles."""
