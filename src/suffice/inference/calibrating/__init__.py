"""Whether posteriors are what they say they are: simulations, ranks, a verdict; public in `suffice.inference`."""
