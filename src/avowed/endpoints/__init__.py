"""Decision components behind one protocol: simulated, recorded, over HTTP."""
