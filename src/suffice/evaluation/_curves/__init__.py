"""What learning curves and bias–variance experiments are made of."""
