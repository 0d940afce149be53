"""Tables and figures: format and draw, compute nothing."""
