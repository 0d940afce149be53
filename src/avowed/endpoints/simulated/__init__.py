"""Simulated decision components whose necessity, sufficiency and explanations are known."""
