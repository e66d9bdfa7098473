"""What every classifier of this room shares: the door, statistics per class, Bayes' rule, linear decisions."""
