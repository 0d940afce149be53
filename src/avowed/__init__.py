"""Measure from the outside whether an AI system's explanation avows what moved its answer."""

__version__ = "0.1.0"
