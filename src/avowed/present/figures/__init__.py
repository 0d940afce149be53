"""Figures, one per module: the rows that are drawn, and how they are drawn."""
