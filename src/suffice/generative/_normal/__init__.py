"""Classes with normal densities: triangles and covariances, missing cells, priors, one row left out, directions."""
