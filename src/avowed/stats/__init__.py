"""Statistics shared by both instruments: seeds, bootstrap, intervals, clustering."""
