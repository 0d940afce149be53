"""A user's own outputs: read as they are, mapped by a file, written as a delivery."""
