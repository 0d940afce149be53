"""One module per kind of input; each gives an `avowed.importing.raw_table.RawTable`."""
