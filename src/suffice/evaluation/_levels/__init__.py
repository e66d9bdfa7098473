"""How a validation is answered: folds, fits, Pipelines seen through, and candidates that share statistics."""
