"""Questions a judge, an analyst or a compliance officer asks, and their typed answers."""
