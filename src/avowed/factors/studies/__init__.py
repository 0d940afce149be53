"""Simulation studies of the estimators of cited factors, on components with known truth.

As in `avowed.pairs.studies`, a repetition number becomes rows from streams that depend on the root
seed, the study, the use case, the component and the repetition alone, and another function
summarises the rows of all repetitions, each figure with its Monte-Carlo error.
"""
