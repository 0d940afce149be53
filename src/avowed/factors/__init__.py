"""Cited factors: use cases, inputs, interventions, necessity and sufficiency."""
