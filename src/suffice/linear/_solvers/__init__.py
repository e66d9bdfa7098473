"""The mathematics of the linear models: arrays in, arrays and small records out; no estimator is known here."""
