"""Densities of rows, K side by side: what a row is drawn from once its component, or its state, is known.

params ─▶ see(rows) ─▶ logs (N, K) ─▶ shares (N, K) ─▶ weigh(shares) ─▶ sums that add ─▶ maximized(sums) ─▶ params

A mixture makes the shares of a row alone, a chain of states those of a whole sequence; the two halves of the step here
do not know which. Missing cells (NaN) are integrated out of `logs` and expected in `weigh`.
"""
