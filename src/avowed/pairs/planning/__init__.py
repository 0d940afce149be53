"""How large a study must be: for a half-width of the omission, and to tell two models apart."""
