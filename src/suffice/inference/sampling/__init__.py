"""Draws from densities known up to a constant, and what they are worth.

`metropolis` and `nuts` make `samples`; `diagnostics` judge them; `bridge` finds the constant. Names are public in
`suffice.inference`.
"""
