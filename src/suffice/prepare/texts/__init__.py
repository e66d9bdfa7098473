"""Documents to counts of terms, and counts to weights. Names are public in `suffice.prepare`."""
