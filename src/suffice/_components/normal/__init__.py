"""Normal components: densities, their sums, and covariances of several shapes."""
