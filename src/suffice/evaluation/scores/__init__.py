"""Is a predictive distribution any good? Scores, and whether the probabilities mean what they say.

`score`         the mean of a score over rows, with its interval and the rows themselves
`crps`          the continuous ranked probability score; `_crps_forms` and `_crps_numeric` compute it
`log_score`     −log of the probability that the forecast gave to what happened
`brier`         squared error of probabilities, taken apart into reliability, resolution and uncertainty
`calibration`   forecast against frequency, bin by bin; recalibration; the PIT of distributions
`pit`           P(Y ≤ y) under the forecast: uniform when forecasts are right; coverage of intervals
`_door`         what is asked of labels, probabilities, distributions and weights

All are smaller-is-better, and proper: no forecast does better on average than the truth.
"""
