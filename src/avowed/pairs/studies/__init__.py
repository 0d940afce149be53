"""Simulation studies of the hinted-pair estimators (HP section 16.2), one per file.

A study turns a repetition number into rows, from streams that depend on the root seed, the study,
the cell and the repetition alone; so chunks and cores cannot change a result. Another function
summarises the rows of all repetitions, each figure with its Monte-Carlo error.
"""
