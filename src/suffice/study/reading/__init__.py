"""From what the user has to what the models see.

source, names                what was given, to columns in memory; names that had to be changed
problem                      the decisions below, in their order, as one record
roles, target                what each column does; what is to be predicted, and how
rows, copies, splits         which rows are used, which must stay together, and the folds
"""
