"""Compiled: one step of the least-mean-squares rule per row."""

from __future__ import annotations

from suffice._core.compiling import compiled


@compiled
def steps(W, Phi, Y, rates, errors):
    """Change W (columns, targets) in place, and leave in `errors` what each row had when it came."""
    columns, targets = W.shape
    for n in range(len(Y)):
        for k in range(targets):
            value = 0.0
            for j in range(columns):
                value += Phi[n, j] * W[j, k]
            errors[n, k] = Y[n, k] - value
            for j in range(columns):
                W[j, k] += rates[n] * Phi[n, j] * errors[n, k]
