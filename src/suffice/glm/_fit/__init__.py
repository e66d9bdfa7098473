"""How a generalized linear model is fitted: coordinates, a statistic per pass, the prior, and its mode."""
