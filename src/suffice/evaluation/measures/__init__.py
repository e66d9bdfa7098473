"""Measures of a classifier: arrays in, records out, and every number knows its interval.

confusion.py         counts of true against predicted labels, and every rate that follows from them
per_class.py         one measure for each class
gallery.py           which rows are wrong, the most confident mistakes first; top-k accuracy
rates.py             counts from rates and back
roc.py, delong.py    the trade between hits and false alarms; its area, and the test for two areas
precision_recall.py  the trade between precision and recall
curves.py            every rate against the threshold
error_rates.py       false acceptance, false rejection and where they are equal

below them
_labels.py           the door for labels: strings, booleans and whole numbers become codes
_tally.py            what thresholds can tell of scores: positives and negatives at each distinct score
_intervals.py        Jeffreys, square-and-add, delta method
_forms.py            measures that are not proportions, with their gradients
_areas.py            variance of areas, from the tally
_roc_curve.py        the record behind roc.py
_table.py            the measures of a table
"""
