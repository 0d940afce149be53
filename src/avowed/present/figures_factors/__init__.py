"""The figures of the second paper, each from rows of the long table of a use case."""
