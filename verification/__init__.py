"""A second program beside the first: it reads the results and imports nothing of ours."""
