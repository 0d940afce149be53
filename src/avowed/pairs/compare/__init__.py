"""Deliveries side by side: differences of their rates, and two judges of the same pairs."""
