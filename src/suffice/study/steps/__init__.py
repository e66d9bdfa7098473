"""The steps of a study: functions from the problem to section records (`suffice.study.sections`).

    table, description                    data sheet, audit, what the columns hold
    validate, kept                        one model by two layers; finished models on disk
    compare, dependence                   all models on the same folds; rows in groups or in time are not independent
    chosen, effects, certainty, clusters  the best model on all rows: weights, how sure they are, with groups too
    importances, widening                 what it needs of each column; intervals that hold on rows not seen
    predictive, classes                   its predictions of rows not seen
    learning                              would more rows help?
    sensitivity, variations, outliers     the study again, with one thing done differently
    settled                               the parameters of a model that is fitted again
    words                                 the sentences of the answer and the comparison

None of them knows the report.
"""
