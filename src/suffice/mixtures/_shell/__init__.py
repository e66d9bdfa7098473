"""What mixtures of every family have in common: weights and steps, starts, the loop, and the estimator around them."""
