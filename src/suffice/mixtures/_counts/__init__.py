"""What mixtures of counts share: rows that may be sparse, their starts, and the estimator around both."""
