"""The steps of a study: functions from the problem to section records (`suffice.study.sections`).

    table        data sheet, audit, description          chosen, importances   the best model on all rows
    validate     one model by two layers, kept on disk    predictive, classes   its predictions of rows not seen
    compare      all models on the same folds             learning, sensitivity how far the conclusion carries
    answer       the short answer                         words                 every sentence

None of them knows the report.
"""
