"""What mixtures of every family share: weights and shares, starts, the loop, and the estimator around them."""
