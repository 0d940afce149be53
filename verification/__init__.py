"""A second program beside the first: it reads deliveries and tables, and imports nothing of ours."""
