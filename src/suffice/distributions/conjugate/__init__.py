"""Priors whose posteriors stay in their family; hyper-parameters, by a prior of their own or by the evidence."""
