"""Densities of rows, K side by side: what a row is drawn from once its component, or its state, is known.

params ─▶ evaluate(rows) ─▶ logs (N, K) ─▶ responsibilities (N, K) ─▶ weighted_sums ─▶ sums that add ─▶ maximized(sums)

A mixture makes the responsibilities of a row alone, a chain of states those of a whole sequence; the two halves of the
step here do not know which. Missing cells (NaN) are integrated out of `logs` and expected in the sums.
"""
