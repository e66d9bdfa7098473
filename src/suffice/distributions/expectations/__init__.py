"""What is averaged over a distribution: by quadrature, by divergences, by draws."""
